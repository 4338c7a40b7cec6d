// SPDX-License-Identifier: GPL-3.0-or-later
// What stands in a panel beside its curves: reference lines and words.
#include "widgets/plots/plot_canvas.h"
#include "widgets/plots/qcp.h"

#include <algorithm>
#include <cmath>

namespace accumulus::ui {

namespace {

constexpr double markRoom = 7.0; ///< pixels between a point's mark and its words

} // namespace

void PlotCanvas::showReferenceLines(const PlotModel& model) {
    m_zeroLine->setVisible(model.zeroLine && !model.logY && !model.empty()); // else it runs through the words
    m_zeroLine->setPen(QPen(m_style.colors.axis, 1));
    m_zeroLine->point1->setCoords(0.0, 0.0);
    m_zeroLine->point2->setCoords(1.0, 0.0);
    m_marginBand->setVisible(model.margin.has_value() && !model.logY);
    if (!model.margin)
        return;
    const double bound = std::abs(*model.margin);
    m_marginBand->setPen(Qt::NoPen);
    QColor shade = m_style.colors.control;
    shade.setAlphaF(0.16F);
    m_marginBand->setBrush(shade);
    m_marginBand->topLeft->setCoords(0.0, m_symmetric.toAxis(std::min(bound, m_y.upper)));
    m_marginBand->bottomRight->setCoords(1.0, m_symmetric.toAxis(std::max(-bound, m_y.lower)));
}

void PlotCanvas::showNotes(const PlotModel& model) {
    while (m_notes.size() > model.notes.size()) {
        m_plot->removeItem(m_notes.back());
        m_notes.pop_back();
    }
    while (m_notes.size() < model.notes.size()) {
        auto* text = m_notes.emplace_back(new QCPItemText(m_plot));
        text->setClipAxisRect(m_xAxis->axisRect());
        text->position->setAxisRect(m_xAxis->axisRect());
        text->position->setAxes(m_xAxis, m_yAxis);
        text->setSelectable(false);
    }
    for (std::size_t i = 0; i < m_notes.size(); ++i) {
        const PlotNote& note = model.notes[i];
        QCPItemText& text = *m_notes[i];
        text.setText(note.text);
        text.setFont(m_style.tick);
        text.setColor(note.color);
        QColor behind = m_style.colors.card; // lines may run behind the words
        behind.setAlphaF(0.8F);
        text.setBrush(behind);
        text.setPadding(QMargins(2, 1, 2, 1));
        text.setPen(Qt::NoPen);
        const double aside = note.side & Qt::AlignLeft ? -markRoom : note.side & Qt::AlignRight ? markRoom : 0.0;
        const double beyond = note.side & Qt::AlignTop ? -markRoom : note.side & Qt::AlignBottom ? markRoom : 0.0;
        text.position->setCoords(m_xAxis->pixelToCoord(m_xAxis->coordToPixel(note.x) + aside),
                                 m_yAxis->pixelToCoord(yPixel(note.y) + beyond));
        // QCustomPlot says which corner of the words lies at the point.
        const auto horizontal = note.side & Qt::AlignLeft    ? Qt::AlignRight
                                : note.side & Qt::AlignRight ? Qt::AlignLeft
                                                             : Qt::AlignHCenter;
        const auto vertical = note.side & Qt::AlignTop      ? Qt::AlignBottom
                              : note.side & Qt::AlignBottom ? Qt::AlignTop
                                                            : Qt::AlignVCenter;
        text.setPositionAlignment(horizontal | vertical);
    }
}

} // namespace accumulus::ui
