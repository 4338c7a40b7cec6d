// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/live/probe_panel.h"

#include "widgets/style/format.h"

#include <algorithm>

namespace accumulus::ui {

namespace {

constexpr std::size_t kCurves = 4; ///< more elements could not be told apart
constexpr std::size_t kNumbers = 3;

const MicroStepRecord* firstOf(const std::vector<ProbedWindow>& windows) {
    for (const ProbedWindow& window : windows)
        if (!window.microSteps.empty())
            return &window.microSteps.front();
    return nullptr;
}

} // namespace

std::vector<Series> probeStairs(const std::vector<ProbedWindow>& windows, std::int64_t steps) {
    const MicroStepRecord* first = firstOf(windows);
    if (!first)
        return {};
    std::vector<Series> stairs(std::min(first->values.size(), kCurves));
    for (std::size_t element = 0; element < stairs.size(); ++element) {
        Series& stair = stairs[element];
        const auto add = [&](double x, const MicroStepRecord& record) {
            if (element >= record.values.size())
                return;
            stair.x.push_back(x);
            stair.y.push_back(record.values[element] - first->values[element]);
        };
        for (const ProbedWindow& window : windows) {
            const auto start = static_cast<double>(window.window - 1);
            const auto known = static_cast<std::int64_t>(window.microSteps.size());
            const auto whole = static_cast<double>(window.updated ? known : std::max(known, steps));
            for (std::size_t k = 0; k < window.microSteps.size(); ++k)
                add(start + static_cast<double>(k) / whole, window.microSteps[k]);
            if (!window.updated)
                continue;
            if (!window.microSteps.empty())
                add(start + 1.0, window.microSteps.back());
            add(start + 1.0, *window.updated);
        }
    }
    return stairs;
}

ProbePanel::ProbePanel(const Theme& theme, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_plot(new PlotView(theme, this)),
      m_sentence(new RoleLabel(theme, TextRole::Body, {}, this)),
      m_values(new RoleLabel(theme, TextRole::Caption, {}, this)) {
    m_plot->setObjectName(QStringLiteral("liveProbe"));
    m_sentence->setObjectName(QStringLiteral("liveProbeSentence"));
    m_values->setObjectName(QStringLiteral("liveProbeValues"));
    m_plot->setLegendAlignment(Qt::AlignTop | Qt::AlignLeft);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, space::s);
    column->setSpacing(space::xs);
    column->addWidget(m_plot, 1);
    auto* words = new QVBoxLayout;
    words->setContentsMargins(space::m, 0, space::m, 0);
    words->setSpacing(space::xs);
    words->addWidget(m_sentence);
    words->addWidget(m_values);
    column->addLayout(words);
    connect(&theme, &Theme::changed, this, &ProbePanel::refresh);
    refresh();
}

void ProbePanel::setProbe(const QString& parameter, const QString& run, std::int64_t steps,
                          std::vector<ProbedWindow> windows) {
    m_parameter = parameter;
    m_run = run;
    m_steps = steps;
    m_windows = std::move(windows);
    refresh();
}

void ProbePanel::refresh() {
    m_plot->setTitle(m_parameter.isEmpty() ? tr("Parameter probe") : tr("%1, first elements").arg(m_parameter));
    const MicroStepRecord* first = firstOf(m_windows);
    m_plot->setAxisTitles(tr("windows"),
                          first ? tr("change since window %1").arg(format::count(first->window)) : tr("change"));
    m_plot->setEmptyText(tr("The first values appear after the first window."));
    const ThemeColors& colors = m_theme.colors();
    const QColor lines[kCurves] = {colors.accumulated, colors.largeBatch, colors.difference, colors.series[0]};
    std::vector<PlotCurve> curves;
    const std::vector<Series> stairs = probeStairs(m_windows, m_steps);
    for (std::size_t element = 0; element < stairs.size(); ++element) {
        PlotCurve& curve = curves.emplace_back();
        curve.id = QString::number(element);
        curve.label = tr("element %1").arg(element + 1);
        curve.color = lines[element];
        curve.dashed = element % 2 == 1;
        curve.points = true;
        curve.series = stairs[element];
    }
    m_plot->setCurves(std::move(curves));
    showSentence();
}

void ProbePanel::showSentence() {
    const auto newest = std::find_if(m_windows.rbegin(), m_windows.rend(),
                                     [](const ProbedWindow& window) { return window.updated.has_value(); });
    m_sentence->setVisible(newest != m_windows.rend());
    m_values->setVisible(newest != m_windows.rend());
    if (newest == m_windows.rend())
        return;
    const QString window = format::count(newest->window);
    const QString steps = format::count(static_cast<qint64>(newest->microSteps.size()));
    m_sentence->setRole(newest->constantUntilUpdate() ? TextRole::Body : TextRole::Bad);
    if (!newest->constantUntilUpdate())
        m_sentence->setText(tr("Window %1: the parameter changed before the update.").arg(window));
    else if (!newest->movedByUpdate())
        m_sentence->setText(tr("Window %1: the same at all %2 micro-steps and after the update.").arg(window, steps));
    else if (newest->microSteps.size() == 1)
        m_sentence->setText(tr("Window %1: one micro-step, then the update moved it.").arg(window));
    else
        m_sentence->setText(
            tr("Window %1: the same bits at all %2 micro-steps; only the update moved them.").arg(window, steps));
    QStringList numbers;
    for (std::size_t i = 0; i < std::min(kNumbers, newest->updated->values.size()); ++i)
        numbers << format::number(newest->updated->values[i], 6);
    m_values->setText(tr("%1. After it: %2").arg(m_run, numbers.join(QStringLiteral(",  ")) + QStringLiteral(", …")));
}

} // namespace accumulus::ui
