// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/settings_picture.h"

#include "widgets/style/run_color.h"

#include <QCoreApplication>
#include <QLineF>
#include <algorithm>
#include <utility>

namespace accumulus::ui {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(accumulus::ui::SettingsPicture)
};

constexpr double kNear = 14.0; ///< pixels within which the pointer means a run
constexpr double kMark = 3.5;
constexpr double kLargeMark = 6.0;
constexpr double kSwatch = 18.0;
constexpr double kWidestReadout = 320.0;
constexpr std::size_t kLegendColumns = 3; ///< of more than two groups
constexpr std::size_t kOwnColours = 3;    ///< that its swatch has room for

double distanceTo(const QPointF& at, const QPointF& from, const QPointF& to) {
    const QPointF way = to - from;
    const double length = QPointF::dotProduct(way, way);
    const double share = length > 0.0 ? std::clamp(QPointF::dotProduct(at - from, way) / length, 0.0, 1.0) : 0.0;
    return QLineF(at, from + share * way).length();
}

/// To the nearest part of what is drawn between neighbouring points.
double distanceTo(const QPointF& at, const std::vector<std::optional<QPointF>>& points) {
    double nearest = 2.0 * kNear;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (!points[i])
            continue;
        const bool joined = i + 1 < points.size() && points[i + 1];
        nearest = std::min(nearest, distanceTo(at, *points[i], joined ? *points[i + 1] : *points[i]));
    }
    return nearest;
}

} // namespace

SettingsPicture::SettingsPicture(const SettingsFigure& figure, SettingsStyle style, const QSizeF& size)
    : m_figure(figure), m_style(std::move(style)), m_looks(groupLooks(m_style.colors, figure.looks)),
      m_legend(groupsWithRuns(figure)), m_metrics(m_style.label, m_style.device), m_whole(QPointF(0.0, 0.0), size),
      m_columns(figure.columns()) {
    m_points.resize(figure.axes.runs.size());
    for (const MeasuredRun& run : figure.axes.runs)
        if (const QColor own = runColor(m_style.colors, run.color, {}); own.isValid())
            if (std::ranges::find(m_ownColours, own) == m_ownColours.end())
                m_ownColours.push_back(own);
    const double head = QFontMetricsF(m_style.title, m_style.device).height() +
                        static_cast<double>(legendLines()) * m_metrics.height() + 2.0 * space::s;
    m_body = m_whole.adjusted(space::xs, head, -space::xs, -space::xs);
    if (m_columns.empty())
        return;
    if (figure.view == SettingsView::Scatter)
        layOutScatter();
    else
        layOutParallel();
}

std::size_t SettingsPicture::legendEntries() const {
    return m_legend.size() + (m_figure.view == SettingsView::Scatter ? 1 : 0) + (m_ownColours.empty() ? 0 : 1);
}

/// One line where two groups and one entry more have room in it.
std::size_t SettingsPicture::legendLines() const {
    return legendInColumns() ? (legendEntries() + kLegendColumns - 1) / kLegendColumns : 1;
}

GroupLook SettingsPicture::lookOfRun(std::size_t run) const {
    const MeasuredRun& measured = m_figure.axes.runs[run];
    GroupLook look = lookOf(measured.group);
    look.color = runColor(m_style.colors, measured.color, look.color);
    return look;
}

QString SettingsPicture::elided(const QString& text, double width) const {
    return m_metrics.elidedText(text, Qt::ElideRight, width);
}

void SettingsPicture::paint(QPainter& painter) const {
    painter.setFont(m_style.label);
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_columns.empty()) {
        painter.setPen(m_style.colors.secondary);
        painter.drawText(m_whole, static_cast<int>(Qt::AlignCenter) | Qt::TextWordWrap, emptyReason(m_figure));
        return;
    }
    paintHead(painter);
    if (m_figure.view == SettingsView::Scatter)
        paintScatter(painter);
    else
        paintParallel(painter);
}

/// Title, and below it what belongs to which group.
void SettingsPicture::paintHead(QPainter& painter) const {
    const QFontMetricsF titleMetrics(m_style.title, m_style.device);
    painter.setFont(m_style.title);
    painter.setPen(m_style.colors.text);
    const double width = m_whole.width() - 2.0 * space::m;
    painter.drawText(QRectF(space::m, 0.0, width, titleMetrics.height()),
                     static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter) | Qt::TextDontClip,
                     titleMetrics.elidedText(figureTitle(m_figure), Qt::ElideRight, width));
    painter.setFont(m_style.label);
    paintLegend(painter, titleMetrics.height() + space::xs);
}

/// One entry behind the other; those of more than two groups stand in columns.
void SettingsPicture::paintLegend(QPainter& painter, double top) const {
    const bool means = m_figure.view == SettingsView::Scatter;
    const bool inColumns = legendInColumns();
    const double width = m_whole.width() - 2.0 * space::m;
    const double column = width / (legendEntries() > 2 ? static_cast<double>(kLegendColumns) : 2.0);
    const double room = column - kSwatch - space::xs - space::l;
    double x = space::m, middle = top + m_metrics.height() / 2.0;
    std::size_t entry = 0;
    const auto text = [&](const QString& words) {
        const QString shown = elided(words, room);
        painter.setPen(m_style.colors.text);
        painter.drawText(QRectF(x + kSwatch + space::xs, middle - m_metrics.height() / 2.0, room, m_metrics.height()),
                         static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter) | Qt::TextDontClip, shown);
        x += inColumns ? column : kSwatch + space::xs + widthOf(shown) + space::l;
        if (++entry; inColumns && entry % kLegendColumns == 0) {
            x = space::m;
            middle += m_metrics.height();
        }
    };
    for (const std::size_t group : m_legend) {
        painter.setPen(lookOf(group).pen(1.5));
        if (!means)
            painter.drawLine(QPointF(x, middle), QPointF(x + kSwatch, middle));
        paintMark(painter, QPointF(x + kSwatch / 2.0, middle), lookOf(group), false);
        text(groupName(m_figure, group));
    }
    if (means) {
        painter.setPen(QPen(m_style.colors.secondary, 3.0));
        painter.drawLine(QPointF(x, middle), QPointF(x + kSwatch, middle));
        text(Words::tr("mean of a group"));
    }
    if (m_ownColours.empty())
        return;
    paintOwnColours(painter, QRectF(x, middle - kMark, kSwatch, 2.0 * kMark));
    text(Words::tr("runs in colours of their own"));
}

/// Side by side; of many the first ones.
void SettingsPicture::paintOwnColours(QPainter& painter, const QRectF& swatch) const {
    const std::size_t count = std::min(m_ownColours.size(), kOwnColours);
    const double part = swatch.width() / static_cast<double>(count);
    for (std::size_t i = 0; i < count; ++i)
        painter.fillRect(QRectF(swatch.left() + static_cast<double>(i) * part, swatch.top(), part, swatch.height()),
                         m_ownColours[i]);
}

/// Groups differ by shape as well: colour is never needed to tell them apart.
void SettingsPicture::paintMark(QPainter& painter, const QPointF& at, const GroupLook& look, bool large) const {
    const double half = large ? kLargeMark : kMark;
    painter.setPen(QPen(look.color, large ? 2.0 : 1.2));
    const auto polygon = [&](std::initializer_list<QPointF> corners, bool hollow) {
        painter.setBrush(hollow ? m_style.colors.card : look.color);
        painter.drawPolygon(QPolygonF(QList<QPointF>(corners)).translated(at));
    };
    switch (look.mark) {
    case GroupMark::Disc:
        painter.setBrush(look.color);
        painter.drawEllipse(at, half, half);
        break;
    case GroupMark::HollowSquare:
        polygon({{-half, -half}, {half, -half}, {half, half}, {-half, half}}, true);
        break;
    case GroupMark::Triangle:
        polygon({{0.0, -half}, {half, half}, {-half, half}}, false);
        break;
    case GroupMark::HollowInverted:
        polygon({{0.0, half}, {half, -half}, {-half, -half}}, true);
        break;
    case GroupMark::Diamond:
    case GroupMark::HollowDiamond: {
        const double reach = 1.3 * half;
        polygon({{0.0, -reach}, {reach, 0.0}, {0.0, reach}, {-reach, 0.0}}, look.mark == GroupMark::HollowDiamond);
        break;
    }
    case GroupMark::Plus:
        painter.drawLine(at - QPointF(half, 0.0), at + QPointF(half, 0.0));
        painter.drawLine(at - QPointF(0.0, half), at + QPointF(0.0, half));
        break;
    case GroupMark::Cross:
        painter.drawLine(at - QPointF(half, half), at + QPointF(half, half));
        painter.drawLine(at - QPointF(half, -half), at + QPointF(half, -half));
        break;
    }
}

/// Lines run behind the words.
void SettingsPicture::paintOnCard(QPainter& painter, const QRectF& box, int flags, const QString& text) const {
    QColor behind = m_style.colors.card;
    behind.setAlphaF(0.85F);
    painter.fillRect(box, behind);
    painter.drawText(box, flags | Qt::TextDontClip, text);
}

void SettingsPicture::paintReadout(QPainter& painter, const QPointF& beside, const QStringList& lines) const {
    QStringList shown;
    double width = 0.0;
    for (const QString& line : lines) {
        shown << elided(line, std::min(kWidestReadout, m_whole.width() / 2.0));
        width = std::max(width, widthOf(shown.constLast()));
    }
    const QSizeF size(width + 2.0 * space::s, m_metrics.height() * static_cast<double>(shown.size()) + 2.0 * space::xs);
    double left = beside.x() + space::m;
    if (left + size.width() > m_whole.right())
        left = std::max(m_whole.left(), beside.x() - space::m - size.width());
    const double top = std::clamp(beside.y() - size.height() / 2.0, m_body.top(),
                                  std::max(m_body.top(), m_body.bottom() - size.height()));
    const QRectF box(QPointF(left, top), size);
    painter.setPen(QPen(m_style.colors.border, 1.0));
    painter.setBrush(m_style.colors.card);
    painter.drawRoundedRect(box, 4.0, 4.0);
    painter.setPen(m_style.colors.text);
    for (qsizetype i = 0; i < shown.size(); ++i)
        painter.drawText(QRectF(left + space::s, top + space::xs + m_metrics.height() * static_cast<double>(i), width,
                                m_metrics.height()),
                         static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter) | Qt::TextDontClip, shown[i]);
}

std::optional<std::size_t> SettingsPicture::runAt(const QPointF& at) const {
    std::optional<std::size_t> nearest;
    double distance = kNear;
    for (std::size_t run = 0; run < m_points.size(); ++run)
        if (const double own = distanceTo(at, m_points[run]); own < distance) {
            distance = own;
            nearest = run;
        }
    return nearest;
}

} // namespace accumulus::ui
