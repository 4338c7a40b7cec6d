// SPDX-License-Identifier: GPL-3.0-or-later
// A person brings files: Set up over real answers where they need no network, and files that are dropped on it.
#pragma once

#include "core/run/sample_preview.h"
#include "tests/support/brought_files.h"
#include "tests/widgets/page_fixture.h"
#include "widgets/pages/setup/setup_page.h"

#include <QDragEnterEvent>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QtTest>

#include <bit>
#include <memory>

namespace accumulus::test {

using namespace ui;

/// The real answers where they need no network.
inline SetupQueries fileQueries() {
    SetupQueries queries;
    queries.data = inspectData;
    queries.parameters = [](const RunConfig&) -> Result<std::int64_t> { return 1000; };
    queries.device = [] { return DeviceSummary{{}, std::nullopt, 2}; };
    queries.model = [](const RunConfig& run) -> Result<ModelFacts> {
        if (run.model.weights.find("other-net") != std::string::npos)
            return failure("file.open", {{"file", run.model.weights}, {"reason", "these weights do not fit"}});
        return ModelFacts{{{"fact.takes", {{"shape", "3x8x8"}}}, {"fact.outputs", {{"outputs", "2"}}}}, 1000, 250};
    };
    queries.preview = [](const DataConfig& data) { return previewSamples(data); };
    return queries;
}

inline std::unique_ptr<QMimeData> mimeOf(const QStringList& files) {
    auto data = std::make_unique<QMimeData>();
    QList<QUrl> urls;
    for (const QString& file : files)
        urls << QUrl::fromLocalFile(file);
    data->setUrls(urls);
    return data;
}

/// As the window system hands it over; whether it was taken.
inline bool hover(QWidget& page, const QStringList& files) {
    const auto data = mimeOf(files);
    QDragEnterEvent event(QPoint(40, 40), Qt::CopyAction | Qt::MoveAction, data.get(), Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&page, &event);
    return event.isAccepted() && event.dropAction() == Qt::CopyAction;
}

inline bool drop(QWidget& page, const QStringList& files) {
    if (!hover(page, files))
        return false;
    const auto data = mimeOf(files);
    QDropEvent event(QPointF(40, 40), Qt::CopyAction | Qt::MoveAction, data.get(), Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&page, &event);
    return event.isAccepted();
}

/// A set-up page of its own for each function, over files in a folder of its own.
class BroughtFiles {
protected:
    static void nameProgram() {
        QCoreApplication::setOrganizationName(QStringLiteral("Accumulus"));
        QCoreApplication::setApplicationName(QStringLiteral("test_brought_files"));
        QLocale::setDefault(QLocale::c());
    }

    void openPage() {
        QSettings().clear();
        m_fixture = std::make_unique<PageFixture>();
        useForm(fileQueries(), 640);
    }

    void closePage() {
        m_page.reset();
        m_fixture.reset();
    }

    QString write(const char* name, const std::string& content) {
        const QString file = m_fixture->path(QString::fromLatin1(name));
        writeFile(file.toStdString(), content);
        return file;
    }
    QString weights(const char* name = "weights.safetensors") {
        return write(name, safetensorsOf(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", 4));
    }
    /// 40 samples of 4 numbers, with classes i % 4, or 0 and then 1, or real targets.
    QString tensors(const char* targets) {
        std::string inputs(std::size_t{40} * 4 * 4, '\0'), values;
        const bool real = targets == std::string("real");
        for (int i = 0; i < 40; ++i)
            values += real ? littleEndian(std::bit_cast<std::uint32_t>(0.5F * static_cast<float>(i)), 4)
                           : littleEndian(targets == std::string("sorted") ? i / 30 : i % 4, 8);
        const std::string end = std::to_string(inputs.size() + values.size());
        return write(
            "data.safetensors",
            safetensorsOf(R"({"inputs":{"dtype":"F32","shape":[40,4],"data_offsets":[0,640]},"targets":{"dtype":")" +
                          std::string(real ? "F32" : "I64") + R"(","shape":[40],"data_offsets":[640,)" + end + "]}}") +
                inputs + values);
    }
    /// A page that asks the engine.
    void usePageOf(SetupQueries queries) { useForm(std::move(queries), 900); }
    void fix(const char* name) {
        QTRY_VERIFY2(m_page->findChild<QPushButton*>(QLatin1String(name)), name);
        child<QPushButton>(*m_page, name)->click();
    }
    bool canStart() { return child<QPushButton>(*m_page, "setup.start")->isEnabled(); }
    /// Two classes of pictures of 8 x 8 pixels in one colour each.
    QString pictures() {
        const auto folder = m_fixture->path(QStringLiteral("pictures"));
        for (const auto& [name, color] : {std::pair{"blue", QColor(0, 0, 255)}, {"red", QColor(255, 0, 0)}})
            for (int i = 0; i < 8; ++i) {
                QImage picture(8, 8, QImage::Format_RGB32);
                picture.fill(color);
                QDir().mkpath(folder + '/' + name);
                if (!picture.save(QStringLiteral("%1/%2/%3.png").arg(folder, name).arg(i)))
                    qWarning("no picture");
            }
        return folder;
    }
    [[nodiscard]] QLabel* notice() const { return m_page->findChild<QLabel*>(QStringLiteral("noticeText")); }
    [[nodiscard]] QString shownText(const char* name) const {
        const auto* label = m_page->findChild<QLabel*>(QLatin1String(name));
        return label && label->isVisible() ? label->text() : QString();
    }
    [[nodiscard]] const RunConfig run() const { return m_page->experiment().run; }

    std::unique_ptr<PageFixture> m_fixture;
    std::unique_ptr<SetupPage> m_page;

private:
    void useForm(SetupQueries queries, int height) {
        m_page = std::make_unique<SetupPage>(m_fixture->services(), nullptr, std::move(queries));
        m_page->resize(1000, height);
        m_page->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
    }
};

} // namespace accumulus::test
