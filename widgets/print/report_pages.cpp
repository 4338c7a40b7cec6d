// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/print/report_pages.h"

#include "core/base/atomic_file.h"
#include "widgets/print/report_pieces.h"
#include "widgets/style/format.h"
#include "widgets/style/theme.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QLocale>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>

namespace accumulus::ui {

namespace {

constexpr double pt = kUnitsPerPoint;
constexpr double kSide = 54.0 * pt;
constexpr double kTop = 54.0 * pt;
constexpr double kBottom = 60.0 * pt;
constexpr double kFooter = 30.0 * pt; ///< from the lower edge to the footer's baseline
constexpr int kPdfResolution = 1200;

/// A piece at its place.
struct Placed {
    std::shared_ptr<const ReportPiece> piece;
    double y = 0.0;
};
using Page = std::vector<Placed>;

/// Height of a piece together with what may not be parted from it.
double chainHeight(const std::vector<std::shared_ptr<const ReportPiece>>& pieces, std::size_t first) {
    double height = pieces[first]->height;
    for (std::size_t i = first; pieces[i]->keepWithNext && i + 1 < pieces.size(); ++i)
        height += pieces[i + 1]->before + pieces[i + 1]->height;
    return height;
}

std::vector<Page> breakIntoPages(std::vector<ReportPiece> set, double height) {
    std::vector<std::shared_ptr<const ReportPiece>> pieces;
    for (ReportPiece& piece : set)
        pieces.push_back(std::make_shared<const ReportPiece>(std::move(piece)));
    std::vector<Page> pages(1);
    double y = 0.0;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const auto& piece = pieces[i];
        const double before = pages.back().empty() ? 0.0 : piece->before;
        // A chain taller than a page, below a table's header, cannot be kept together: then only the piece itself
        // counts.
        const double chain = chainHeight(pieces, i);
        const double room = height - (piece->tableHeader ? piece->tableHeader->height : 0.0);
        const double needed = chain <= room ? chain : piece->height;
        if (!pages.back().empty() && y + before + needed > height) {
            pages.emplace_back();
            y = 0.0;
            if (piece->tableHeader) {
                pages.back().push_back({piece->tableHeader, 0.0});
                y = piece->tableHeader->height;
            }
        } else {
            y += before;
        }
        pages.back().push_back({piece, y});
        y += piece->height;
    }
    return pages;
}

} // namespace

struct ReportPages::Impl {
    explicit Impl(const ReportFamilies& families) : fonts(families) {}
    QString title, pageWords;
    ReportFonts fonts;
    std::vector<Page> pages;
};

ReportPages::ReportPages(const ReportDocument& document) : ReportPages(document, reportFamilies()) {}

ReportPages::ReportPages(const ReportDocument& document, const ReportFamilies& fonts)
    : m_impl(std::make_unique<Impl>(fonts)) {
    m_impl->title = format::fromUtf8(document.title);
    m_impl->pageWords = format::fromUtf8(document.pageWords);
    const QSizeF paper = pageSize() * pt;
    const double height = paper.height() - kTop - kBottom;
    m_impl->pages = breakIntoPages(setReport(document, m_impl->fonts, paper.width() - 2.0 * kSide, height), height);
}

ReportPages::ReportPages(ReportPages&&) noexcept = default;
ReportPages& ReportPages::operator=(ReportPages&&) noexcept = default;
ReportPages::~ReportPages() = default;

int ReportPages::count() const { return static_cast<int>(m_impl->pages.size()); }

namespace {
QPageSize paperHere() {
    const bool letter = QLocale::system().measurementSystem() == QLocale::ImperialUSSystem;
    return QPageSize(letter ? QPageSize::Letter : QPageSize::A4);
}
} // namespace

QSizeF ReportPages::pageSize() { return paperHere().sizePoints(); }

void ReportPages::paint(QPainter& painter, int page) const {
    painter.save();
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    painter.scale(1.0 / pt, 1.0 / pt);
    for (const Placed& placed : m_impl->pages[static_cast<std::size_t>(page)]) {
        painter.save();
        placed.piece->paint(painter, QPointF(kSide, kTop + placed.y));
        painter.restore();
    }
    const QSizeF paper = pageSize() * pt;
    painter.setFont(m_impl->fonts.caption);
    painter.setPen(lightColors().secondary);
    const QString number = m_impl->pageWords.arg(page + 1).arg(count());
    const QFontMetricsF metrics(m_impl->fonts.caption);
    const double numberWidth = metrics.horizontalAdvance(number);
    const double baseline = paper.height() - kFooter;
    painter.drawText(QPointF(paper.width() - kSide - numberWidth, baseline), number);
    painter.drawText(
        QPointF(kSide, baseline),
        metrics.elidedText(m_impl->title, Qt::ElideRight, paper.width() - 2.0 * kSide - numberWidth - 20.0 * pt));
    painter.restore();
}

namespace {

Status writePdf(const ReportDocument& document, const ReportFamilies& fonts, const QString& file) {
    const ReportPages pages(document, fonts);
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setPageSize(paperHere());
        writer.setPageMargins(QMarginsF());
        writer.setResolution(kPdfResolution);
        writer.setTitle(QString::fromStdString(document.title));
        writer.setCreator(QStringLiteral("Accumulus"));
        QPainter painter(&writer);
        if (!painter.isActive())
            return failure("file.write", {{"file", file.toStdString()}, {"reason", "The PDF could not be painted"}});
        for (int page = 0; page < pages.count(); ++page) {
            if (page > 0)
                writer.newPage();
            painter.save();
            painter.scale(kPdfResolution / 72.0, kPdfResolution / 72.0);
            pages.paint(painter, page);
            painter.restore();
        }
    }
    const QByteArray& content = buffer.data();
    return writeFileAtomically(file.toStdString(),
                               std::string_view(content.constData(), static_cast<std::size_t>(content.size())));
}

} // namespace

std::function<Status()> reportPdfWriter(const ReportDocument& document, const QString& file) {
    return [document, fonts = reportFamilies(), file] { return writePdf(document, fonts, file); };
}

} // namespace accumulus::ui
