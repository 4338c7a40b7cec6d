// SPDX-License-Identifier: GPL-3.0-or-later
// What the hands of a person do in the window, beyond a click.
#pragma once

#include "tests/workbench/workbench_fixture.h"
#include "widgets/style/number_box.h"

#include <QComboBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QListView>
#include <QTest>
#include <QTimer>

namespace accumulus::ui {

/// A number typed over the one that stands there.
inline void typeNumber(WorkbenchFixture& fixture, const char* name, const QString& text) {
    auto* box = fixture.find<QAbstractSpinBox>(name);
    QTest::mouseClick(box, Qt::LeftButton);
    box->selectAll();
    QTest::keyClicks(box, text);
}

/// Names `file` in the file dialog that is about to open, and accepts it.
inline void answerFileDialog(const QString& file) {
    auto* timer = new QTimer(qApp);
    QObject::connect(timer, &QTimer::timeout, timer, [timer, file] {
        auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        if (!dialog)
            return;
        timer->deleteLater();
        timer->stop();
        auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
        name->setText(file);
        QTest::keyClick(name, Qt::Key_Return);
    });
    timer->start(20);
}

/// Opens the list of a box and chooses the first entry that begins with `text`. False where there is none.
[[nodiscard]] inline bool choose(QComboBox& box, const QString& text) {
    const int row = box.findText(text, Qt::MatchStartsWith);
    if (row < 0)
        return false;
    QTest::mouseClick(&box, Qt::LeftButton);
    box.view()->setCurrentIndex(box.model()->index(row, box.modelColumn(), box.rootModelIndex()));
    QTest::keyClick(box.view(), Qt::Key_Return);
    return true;
}

} // namespace accumulus::ui
