// SPDX-License-Identifier: GPL-3.0-or-later
// What the tests of Live share: the page with its services, made-up windows, and a small pair that is really
// trained.
#pragma once

#include "tests/widgets/screenshot.h"
#include "widgets/pages/library_session.h"
#include "widgets/pages/live/live_page.h"

#include <QTemporaryDir>
#include <QTest>

namespace accumulus::test {

using namespace ui;

inline ExperimentConfig smallPair() {
    ExperimentConfig experiment;
    experiment.run.data.dataset = "digits-generated";
    experiment.run.data.trainLimit = 2000;
    experiment.run.data.testLimit = 200;
    experiment.run.model.name = "mlp";
    experiment.run.batch.effective = 64;
    experiment.run.batch.micro = 16;
    experiment.run.train.length = {2, Extent::Unit::Epochs};
    experiment.study.name = "small pair";
    experiment.study.seeds = {0, 1};
    experiment.study.largeBatch = true;
    return experiment;
}

/// It fails while it is prepared.
inline ExperimentConfig withoutData() {
    ExperimentConfig experiment = smallPair();
    experiment.run.data.dataset = "text";
    experiment.run.data.path = "/nowhere/text.txt";
    return experiment;
}

inline WindowRecord window(std::int64_t number) {
    WindowRecord record;
    record.window = number;
    record.update = number;
    record.samples = number * 64;
    record.epochPosition = static_cast<double>(number) / 10.0;
    record.loss = 1.0 / static_cast<double>(number);
    record.seconds = 0.5;
    record.wallTime = 1000.0 + static_cast<double>(number);
    record.activeSeconds = 0.5 * static_cast<double>(number);
    return record;
}

/// A page with everything it needs, on a library of its own.
struct Workplace {
    QTemporaryDir folder;
    std::filesystem::path library = folder.filePath(QStringLiteral("library.db")).toStdString();
    Theme theme{*qApp};
    LibraryGateway gateway;
    std::unique_ptr<RunController> runs = std::make_unique<RunController>(library);
    LibrarySession session{gateway, *runs};
    std::unique_ptr<LivePage> page;

    [[nodiscard]] Services services() { return {theme, gateway, *runs, session}; }

    void open() {
        QVERIFY(gateway.open(library).has_value());
        page = std::make_unique<LivePage>(services());
        page->resize(1240, 780);
        page->show();
        page->activated();
    }
    template <class T>
    T* find(const char* name) {
        return page->findChild<T*>(QString::fromLatin1(name));
    }
};

} // namespace accumulus::test
