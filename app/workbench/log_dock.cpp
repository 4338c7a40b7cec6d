// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/log_dock.h"

#include "widgets/style/row_copy.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTableView>
#include <QVBoxLayout>

namespace accumulus::ui {

LogDock::LogDock(const Theme& theme, LogModel& log, QWidget* parent) : QDockWidget(tr("Log"), parent) {
    setObjectName(QStringLiteral("logDock"));
    setFeatures(DockWidgetClosable);
    setAllowedAreas(Qt::BottomDockWidgetArea);
    m_shown.setSourceModel(&log);

    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(space::m, space::s, space::m, space::s);
    column->setSpacing(space::s);
    auto* row = new QHBoxLayout;
    row->setSpacing(space::s);
    auto* level = new QComboBox;
    level->setObjectName(QStringLiteral("logLevel"));
    level->setAccessibleName(tr("Lowest level shown"));
    level->addItem(tr("Everything"), static_cast<int>(LogLevel::Info));
    level->addItem(tr("Warnings and errors"), static_cast<int>(LogLevel::Warning));
    level->addItem(tr("Errors"), static_cast<int>(LogLevel::Error));
    auto* filter = new QLineEdit;
    filter->setObjectName(QStringLiteral("logFilter"));
    filter->setAccessibleName(tr("Filter the log"));
    filter->setPlaceholderText(tr("Filter the log"));
    filter->setClearButtonEnabled(true);
    auto* clear = new QPushButton(tr("Clear"));
    clear->setObjectName(QStringLiteral("logClear"));
    row->addWidget(level);
    row->addWidget(filter, 1);
    row->addWidget(clear);
    column->addLayout(row);

    auto* view = new QTableView;
    view->setObjectName(QStringLiteral("logView"));
    view->setAccessibleName(tr("Log"));
    view->setModel(&m_shown);
    view->setSelectionBehavior(QAbstractItemView::SelectRows);
    view->setShowGrid(false);
    view->setWordWrap(false);
    view->setTabKeyNavigation(false);
    view->setFrameShape(QFrame::NoFrame);
    view->setFont(theme.numberFont());
    view->verticalHeader()->hide();
    view->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    view->horizontalHeader()->setStretchLastSection(true);
    column->addWidget(view, 1);
    setWidget(content);

    addCopy(*view, CopiedHeads::No);
    connect(clear, &QPushButton::clicked, &log, &LogModel::clear);
    connect(filter, &QLineEdit::textChanged, &m_shown, &LogFilterModel::setText);
    connect(level, &QComboBox::currentIndexChanged, &m_shown,
            [this, level] { m_shown.setLevel(static_cast<LogLevel>(level->currentData().toInt())); });
    // The newest line stays in sight unless the person has scrolled up.
    connect(&m_shown, &QAbstractItemModel::rowsInserted, view, [view] {
        const QScrollBar* bar = view->verticalScrollBar();
        if (bar->value() >= bar->maximum() - 2)
            QMetaObject::invokeMethod(view, &QAbstractItemView::scrollToBottom, Qt::QueuedConnection);
    });
}

} // namespace accumulus::ui
