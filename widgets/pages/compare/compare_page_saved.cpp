// SPDX-License-Identifier: GPL-3.0-or-later
// What outlives the page: saved comparisons in the library, the last one in the settings.
#include "core/base/clock.h"
#include "widgets/models/comparison_text.h"
#include "widgets/models/saved_comparisons.h"
#include "widgets/pages/compare/compare_page_impl.h"
#include "widgets/style/format.h"

#include <QPushButton>
#include <algorithm>
#include <cmath>

namespace accumulus::ui {

namespace {
constexpr double kMarginRounding = 1e-9;
} // namespace

void ComparePage::Impl::restoreLast() {
    if (const auto last = lastCompared(library().path())) {
        request = *last;
        restored = true;
    }
}

void ComparePage::Impl::loadSaved() {
    if (!library().isOpen())
        return;
    library().query<Result<std::vector<ComparisonRecord>>>(
        &page, QStringLiteral("compare.saved"), [](RunReader& reader) { return savedComparisons(reader); },
        [this](Result<std::vector<ComparisonRecord>> loaded) {
            if (!loaded) {
                notice->showNotice(NoticeLevel::Error, format::error(loaded.error()));
                return;
            }
            saved->setRecords(*loaded);
            showFace();
            if (const auto found = std::ranges::find(*loaded, toBeNamed, &ComparisonRecord::id);
                found != loaded->end()) {
                saved->editName(toBeNamed);
                toBeNamed.clear();
            }
        });
}

/// Under a name of its own, which can be typed over at once.
void ComparePage::Impl::save() {
    if (!isCurrent())
        return;
    QStringList others;
    for (const FamilyMember& one : shown->family.members)
        others << comparison_text::groupTitle(groupAt(shown->input, one.group));
    const QString study = format::fromUtf8(shown->study.name);
    const QString pair = tr("%1 against %2")
                             .arg(others.join(QStringLiteral(", ")),
                                  comparison_text::groupTitle(groupAt(shown->input, shown->input.reference)));
    const QString name = study.isEmpty() ? pair : QStringLiteral("%1: %2").arg(study, pair);
    const ComparisonRecord record = recordOf(shownRequest, *shown, freeName(name, saved->records()), unixTime());
    edits().write(
        tr("Save a comparison"), [record](RunStore& store) { return putComparison(store, record); },
        [id = record.id](RunStore& store) { return removeComparison(store, id); },
        [this, host = QPointer<ComparePage>(&page), id = record.id](bool written) {
            if (!host || !written)
                return;
            toBeNamed = id;
            savedButton->setChecked(true);
            loadSaved();
        });
}

void ComparePage::Impl::open(const ComparisonRecord& record) {
    Compared wanted{requestOf(record), record.ownMargin ? 0.0 : record.margin, record.marginSetAt};
    if (sameGroups(request, wanted.request) && sameQuestion(request, wanted.request)) { // only drawn in another way
        savedMargin = wanted.savedMargin;
        savedMarginSetAt = wanted.savedMarginSetAt;
        savedMarginText.clear();
        marginBar->clear();
        compareAgain(wanted.request);
    } else {
        change(tr("Open a comparison"), wanted, true);
    }
    savedButton->setChecked(false);
}

/// Where the margin is not the comparison's own, that of the study may be another one by now.
void ComparePage::Impl::showSavedMargin() {
    const double margin = shown->comparison.test.margin;
    const auto [before, now] = comparison_text::differingMargins(shown->comparison.metric, savedMargin, margin);
    const QString plusMinus(QChar(0x00B1));
    const bool differs =
        savedMargin > 0.0 && !request.margin && std::abs(margin - savedMargin) > kMarginRounding * savedMargin;
    const QString text =
        differs ? tr("It was saved with a margin of %1; %2 counts now.").arg(plusMinus + before, plusMinus + now)
                : QString();
    if (text == savedMarginText)
        return; // a bar that was closed stays closed
    savedMarginText = text;
    if (differs)
        marginBar->showNotice(NoticeLevel::Warning, text, tr("Use %1").arg(plusMinus + before));
    else
        marginBar->clear();
}

void ComparePage::Impl::rename(const ComparisonRecord& record, const QString& name) {
    ComparisonRecord renamed = record;
    renamed.name = name.toStdString();
    edits().write(
        tr("Rename a comparison"), [renamed](RunStore& store) { return putComparison(store, renamed); },
        [record](RunStore& store) { return putComparison(store, record); },
        [this, host = QPointer<ComparePage>(&page)](bool) {
            if (host)
                loadSaved();
        });
}

void ComparePage::Impl::remove(const ComparisonRecord& record) {
    edits().write(
        tr("Delete a comparison"), [id = record.id](RunStore& store) { return removeComparison(store, id); },
        [record](RunStore& store) { return putComparison(store, record); },
        [this, host = QPointer<ComparePage>(&page), name = format::fromUtf8(record.name)](bool written) {
            if (!host || !written)
                return;
            toastOfLibrary = true;
            toast->showNotice(NoticeLevel::Info, tr("The comparison “%1” was deleted.").arg(name), tr("Undo"));
            toastEnd.start();
            loadSaved();
        });
}

} // namespace accumulus::ui
