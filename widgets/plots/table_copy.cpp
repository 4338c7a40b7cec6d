// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/table_copy.h"

#include "widgets/plots/plot_view.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>
#include <chrono>
#include <utility>

namespace accumulus::ui {

namespace {

using namespace std::chrono_literals;
constexpr auto patience = 300ms; ///< nobody need read of what is done by then
constexpr auto between = 100ms;
constexpr int percents = 100;

} // namespace

TableCopy::TableCopy(qint64 cells, TableText text, QPushButton* button, QWidget* parent)
    : QWidget(parent), m_cells(cells), m_text(std::move(text)), m_button(button), m_bar(new QProgressBar(this)) {
    m_bar->setObjectName(QStringLiteral("plotTableCopying"));
    m_bar->setAccessibleName(PlotView::tr("Copying the table"));
    m_bar->setRange(0, percents);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_bar);
    m_look.setSingleShot(true);
    connect(&m_look, &QTimer::timeout, this, &TableCopy::showState);
    connect(&m_work, &NewestWork::idle, this, &TableCopy::showState);
    connect(m_button, &QPushButton::clicked, this, [this] { busy() ? cancel() : start(); });
    showState();
}

void TableCopy::start() {
    if (m_cells < static_cast<qint64>(PlotView::manyPoints)) {
        QGuiApplication::clipboard()->setText(m_text([](double) { return true; }));
        return;
    }
    m_share = std::make_shared<std::atomic<double>>(0.0);
    m_work.start([text = m_text, share = m_share](const std::stop_token& stop) -> NewestWork::Deliver {
        const QString made = text([&stop, &share](double now) {
            *share = now;
            return !stop.stop_requested();
        });
        if (stop.stop_requested())
            return {};
        // On the GUI thread, unless it was cancelled meanwhile.
        return [made] { QGuiApplication::clipboard()->setText(made); };
    });
    m_button->setText(PlotView::tr("Cancel copying"));
    m_look.start(patience);
}

void TableCopy::cancel() {
    m_work.cancel();
    showState();
}

void TableCopy::showState() {
    setVisible(busy()); // takes no room otherwise
    if (busy()) {
        m_bar->setValue(static_cast<int>(*m_share * percents));
        m_look.start(between);
        return;
    }
    m_look.stop();
    m_button->setText(PlotView::tr("Copy all"));
}

} // namespace accumulus::ui
