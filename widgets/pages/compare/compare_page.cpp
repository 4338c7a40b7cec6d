// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/compare/compare_page.h"

#include "widgets/models/comparison_text.h"
#include "widgets/pages/compare/compare_view.h"
#include "widgets/style/format.h"
#include "widgets/style/icons.h"
#include "widgets/style/wheel_guard.h"

#include <QAbstractItemView>
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QStackedWidget>
#include <QTimer>
#include <algorithm>
#include <array>
#include <chrono>

namespace accumulus::ui {

namespace {

using namespace std::chrono_literals;
constexpr auto kRefreshInterval = 1s; // while a study trains, its rows arrive four times a second
constexpr double kLossSmoothing = 0.95;
constexpr int kSeedsToAdd = 3;
constexpr std::array kBands = {BandKind::MinMax, BandKind::StandardDeviation, BandKind::StandardError,
                               BandKind::Confidence95};

QVBoxLayout* labelled(const Theme& theme, const QString& text, QWidget* field, QWidget* parent) {
    auto* label = new RoleLabel(theme, TextRole::Caption, text, parent);
    label->setWordWrap(false);
    label->setBuddy(field);
    field->setAccessibleName(QString(text).remove(QLatin1Char('&')));
    auto* column = new QVBoxLayout;
    column->setSpacing(space::xs);
    column->addWidget(label);
    column->addWidget(field);
    return column;
}

} // namespace

struct ComparePage::Impl {
    Impl(ComparePage& owner, Services given) : page(owner), services(given) {}

    void build();
    QLayout* buildTitle();
    QLayout* buildFields();
    void connectAll();

    void loadChoices();
    void showChoices(Result<std::vector<PairChoice>> loaded);
    void choose(const QStringList& a, const QStringList& b);
    void load();
    void show(Result<LoadedComparison> loaded);
    void showBanner();
    void showEmpty();
    void libraryChanged();
    void swap();
    void askForReport();
    void offerMetrics();

    [[nodiscard]] bool hasGroups() const { return !request.groupA.isEmpty() && !request.groupB.isEmpty(); }
    [[nodiscard]] LibraryGateway& library() { return services.library; }

    ComparePage& page;
    Services services;
    ComparisonRequest request;
    ComparisonRequest offeredFor; ///< whose groups the box of pairs shows
    std::vector<PairChoice> choices;
    std::optional<LoadedComparison> shown;
    QTimer refresh;
    QString bannerText;

    QComboBox* pairs = nullptr;
    QLabel* pairsLabel = nullptr;
    QComboBox* metric = nullptr;
    std::vector<CompareMetric> metrics; ///< that it offers
    QComboBox* band = nullptr;
    QCheckBox* singles = nullptr;
    QPushButton* swapArms = nullptr;
    QPushButton* report = nullptr;
    QWidget* fields = nullptr;
    NoticeBar* notice = nullptr;
    NoticeBar* banner = nullptr;
    QStackedWidget* stack = nullptr;
    EmptyState* empty = nullptr;
    CompareView* view = nullptr;
};

void ComparePage::Impl::build() {
    const Theme& theme = services.theme;
    notice = new NoticeBar(theme, &page);
    notice->setObjectName(QStringLiteral("compare.notice"));
    banner = new NoticeBar(theme, &page);
    banner->setObjectName(QStringLiteral("compare.banner"));
    view = new CompareView(theme, &page);
    empty = new EmptyState(theme, {}, {}, {}, &page);
    empty->setObjectName(QStringLiteral("compare.empty"));
    stack = new QStackedWidget(&page);
    stack->addWidget(empty);
    stack->addWidget(view);
    fields = new QWidget(&page);
    fields->setLayout(buildFields());

    auto* head = new QVBoxLayout;
    head->setContentsMargins(space::pageMargin, space::pageMargin, space::pageMargin, space::m);
    head->setSpacing(space::m);
    head->addLayout(buildTitle());
    head->addWidget(fields);
    head->addWidget(notice);
    head->addWidget(banner);
    auto* column = new QVBoxLayout(&page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(head);
    column->addWidget(stack, 1);

    auto* guard = new WheelGuard(&page);
    for (QWidget* field : {static_cast<QWidget*>(pairs), static_cast<QWidget*>(metric), static_cast<QWidget*>(band),
                           page.findChild<QWidget*>(QStringLiteral("compare.margin"))})
        guard->guard(field);
    refresh.setSingleShot(true);
    refresh.setInterval(kRefreshInterval);
    showEmpty();
}

QLayout* ComparePage::Impl::buildTitle() {
    const Theme& theme = services.theme;
    swapArms = new QPushButton(tr("S&wap arms"), &page);
    swapArms->setObjectName(QStringLiteral("compare.swap"));
    swapArms->setToolTip(tr("Swaps A and B; every difference changes its sign"));
    report = primaryButton(theme, tr("Rep&ort…"), &page);
    report->setObjectName(QStringLiteral("compare.report"));
    const auto recolor = [this] { swapArms->setIcon(icon(QStringLiteral("swap"), services.theme.colors().text)); };
    QObject::connect(&theme, &Theme::changed, swapArms, recolor);
    recolor();
    auto* row = new QHBoxLayout;
    row->setSpacing(space::s);
    row->addWidget(new RoleLabel(theme, TextRole::PageTitle, tr("Compare"), &page));
    row->addStretch(1);
    row->addWidget(swapArms);
    row->addWidget(report);
    return row;
}

QLayout* ComparePage::Impl::buildFields() {
    const Theme& theme = services.theme;
    pairs = new QComboBox(fields);
    pairs->setObjectName(QStringLiteral("compare.pairs"));
    pairs->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    pairs->setMinimumContentsLength(12);
    pairs->setPlaceholderText(tr("Choose a pair"));
    metric = new QComboBox(fields);
    metric->setObjectName(QStringLiteral("compare.metric"));
    band = new QComboBox(fields);
    band->setObjectName(QStringLiteral("compare.band"));
    for (const BandKind kind : kBands)
        band->addItem(comparison_text::bandTitle(kind, 0), static_cast<int>(kind));
    singles = new QCheckBox(tr("&Single seeds"), fields);
    singles->setObjectName(QStringLiteral("compare.singles"));
    singles->setToolTip(tr("Draws each seed as a thin line behind the mean"));

    for (QComboBox* box : {metric, band}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(12);
    }

    auto* row = new QHBoxLayout;
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(space::fieldGap);
    QVBoxLayout* pairsColumn = labelled(theme, tr("&Pairs"), pairs, fields);
    pairsLabel = qobject_cast<QLabel*>(pairsColumn->itemAt(0)->widget());
    row->addLayout(pairsColumn, 5);
    row->addLayout(labelled(theme, tr("&Judged by"), metric, fields), 2);
    row->addLayout(labelled(theme, tr("&Band"), band, fields), 2);
    row->addWidget(singles, 0, Qt::AlignBottom);
    return row;
}

void ComparePage::Impl::connectAll() {
    connect(&library(), &LibraryGateway::opened, &page, [this] {
        request.groupA.clear();
        request.groupB.clear();
        choices.clear();
        pairs->clear();
        shown.reset();
        showEmpty();
        loadChoices();
    });
    connect(&library(), &LibraryGateway::changed, &page, [this] { libraryChanged(); });
    connect(&refresh, &QTimer::timeout, &page, [this] {
        loadChoices();
        if (shown && shown->live)
            load();
    });
    connect(pairs, &QComboBox::activated, &page, [this](int index) {
        const auto groups = pairs->itemData(index).toList();
        if (groups.size() == 2)
            choose(groups[0].toStringList(), groups[1].toStringList());
    });
    connect(metric, &QComboBox::activated, &page, [this] {
        request.metric = metric->currentData().toString();
        request.margin.reset(); // a margin belongs to its metric
        load();
    });
    connect(band, &QComboBox::activated, &page, [this] {
        request.band = static_cast<BandKind>(band->currentData().toInt());
        load();
    });
    connect(singles, &QCheckBox::toggled, &page, [this](bool on) { view->plots().setSinglesShown(on); });
    connect(swapArms, &QPushButton::clicked, &page, [this] { swap(); });
    connect(report, &QPushButton::clicked, &page, [this] { askForReport(); });
    connect(&view->verdict(), &VerdictCard::marginEdited, &page, [this](double margin) {
        request.margin = margin;
        load();
    });
    connect(&view->verdict(), &VerdictCard::marginReset, &page, [this] {
        request.margin.reset();
        load();
    });
    connect(&view->verdict(), &VerdictCard::moreSeedsRequested, &page, [this] {
        if (shown)
            if (const auto experiment = moreSeeds(*shown, kSeedsToAdd))
                Q_EMIT page.moreSeedsRequested(*experiment);
    });
    connect(empty, &EmptyState::actionTriggered, &page, [this] {
        if (choices.empty())
            Q_EMIT page.setupRequested();
        else
            choose(choices.front().groupA, choices.front().groupB);
    });
}

void ComparePage::Impl::libraryChanged() {
    // Rate-limited: the first change starts the interval, further ones fall into it. A hidden page reads again when it
    // is shown.
    if (page.isVisible() && !refresh.isActive())
        refresh.start();
}

void ComparePage::Impl::loadChoices() {
    if (!library().isOpen())
        return;
    library().query<Result<std::vector<PairChoice>>>(
        &page, QStringLiteral("compare.choices"), [](RunReader& reader) { return loadPairChoices(reader); },
        [this](Result<std::vector<PairChoice>> loaded) { showChoices(std::move(loaded)); });
}

void ComparePage::Impl::showChoices(Result<std::vector<PairChoice>> loaded) {
    if (!loaded) {
        notice->showNotice(NoticeLevel::Error, format::error(loaded.error()));
        return;
    }
    if (pairs->view()->isVisible()) { // somebody is choosing
        refresh.start();
        return;
    }
    pairsLabel->setText(tr("&Pairs (%1 found)").arg(loaded->size()));
    // A study that trains announces itself several times a second: what stays as it is keeps its focus and popup.
    if (*loaded == choices && offeredFor.groupA == request.groupA && offeredFor.groupB == request.groupB) {
        showEmpty();
        return;
    }
    choices = std::move(*loaded);
    offeredFor = request;
    pairs->clear();
    int current = -1;
    for (const PairChoice& choice : choices) {
        const bool direct = choice.groupA == request.groupA && choice.groupB == request.groupB;
        const bool swapped = choice.groupA == request.groupB && choice.groupB == request.groupA;
        if (hasGroups() && current < 0 && (direct || swapped))
            current = pairs->count();
        pairs->addItem(choice.title, QVariantList{choice.groupA, choice.groupB});
        pairs->setItemData(pairs->count() - 1, choice.title, Qt::ToolTipRole);
    }
    if (hasGroups() && current < 0) { // chosen by hand in the library
        pairs->insertItem(0, tr("Chosen runs: %1 against %2").arg(request.groupA.size()).arg(request.groupB.size()),
                          QVariantList{request.groupA, request.groupB});
        current = 0;
    }
    pairs->setCurrentIndex(current);
    showEmpty();
}

void ComparePage::Impl::showEmpty() {
    const bool nothing = !shown;
    stack->setCurrentWidget(nothing ? static_cast<QWidget*>(empty) : view);
    swapArms->setEnabled(!nothing);
    report->setEnabled(!nothing);
    fields->setVisible(!nothing || !choices.empty());
    metric->setEnabled(!nothing);
    band->setEnabled(!nothing);
    singles->setEnabled(!nothing);
    if (!nothing)
        return;
    banner->clear();
    const QString title = tr("Nothing is compared yet");
    if (choices.empty())
        empty->setTexts(title,
                        tr("Choose one accumulated and one large-batch group. The library has no such pair yet. To "
                           "create one, turn "
                           "on “Also run the large batch” in Set up."),
                        tr("Set up a run"));
    else
        empty->setTexts(
            title,
            tr("Choose one accumulated and one large-batch group. Their curves, the difference of each pair and a "
               "verdict appear here."),
            tr("Suggest pairs (%1 found)").arg(choices.size()));
}

void ComparePage::Impl::choose(const QStringList& a, const QStringList& b) {
    if (a != request.groupA || b != request.groupB) {
        request.groupA = a;
        request.groupB = b;
        request.metric.clear();
        request.margin.reset();
        bannerText.clear();
    }
    load();
    loadChoices();
}

void ComparePage::Impl::load() {
    if (!hasGroups() || !library().isOpen())
        return;
    library().query<Result<LoadedComparison>>(
        &page, QStringLiteral("compare.load"),
        [wanted = request](RunReader& reader) { return loadComparisonView(reader, wanted); },
        [this](Result<LoadedComparison> loaded) { show(std::move(loaded)); });
}

void ComparePage::Impl::show(Result<LoadedComparison> loaded) {
    if (!loaded) {
        notice->showNotice(NoticeLevel::Error, format::error(loaded.error()));
        return;
    }
    notice->clear();
    shown = std::move(*loaded);
    offerMetrics();
    view->setComparison(*shown, request.band, request.lossSmoothing);
    showEmpty();
    showBanner();
}

/// Those that the runs have.
void ComparePage::Impl::offerMetrics() {
    std::vector<CompareMetric> offered;
    for (const MetricRow& row : metricRows)
        if (shown->input.groupA.empty() || hasMetric(shown->input.groupA.front().config, row.metric))
            offered.push_back(row.metric);
    if (offered != metrics) {
        metrics = std::move(offered);
        metric->clear();
        for (const CompareMetric one : metrics)
            metric->addItem(comparison_text::metricTitle(one), format::fromUtf8(metricName(one)));
    }
    metric->setCurrentIndex(metric->findData(format::fromUtf8(metricName(shown->comparison.metric))));
}

void ComparePage::Impl::showBanner() {
    QStringList unexpected;
    for (const DifferenceRow& row : differenceRows(shown->input))
        if (row.kind == DifferenceKind::Unexpected)
            unexpected << tr("%1 (A: %2, B: %3)").arg(row.name, row.a, row.b);
    const QString text =
        unexpected.isEmpty()
            ? QString()
            : tr("The groups differ in more than accumulation: %1.").arg(unexpected.join(QStringLiteral(", ")));
    if (text == bannerText)
        return; // a bar that was closed stays closed until something else is wrong
    bannerText = text;
    if (text.isEmpty())
        banner->clear();
    else
        banner->showNotice(NoticeLevel::Warning, text);
}

void ComparePage::Impl::swap() {
    std::swap(request.groupA, request.groupB);
    bannerText.clear();
    load();
}

void ComparePage::Impl::askForReport() {
    Q_EMIT page.reportRequested(request.groupA, request.groupB, request.metric, request.margin.value_or(0.0));
}

ComparePage::ComparePage(Services services, QWidget* parent)
    : Page(parent), m_impl(std::make_unique<Impl>(*this, services)) {
    setObjectName(QStringLiteral("compare"));
    setAccessibleName(tr("Compare"));
    m_impl->request.lossSmoothing = kLossSmoothing;
    m_impl->build();
    m_impl->connectAll();
    m_impl->loadChoices();
}

ComparePage::~ComparePage() = default;

void ComparePage::activated() {
    m_impl->loadChoices();
    m_impl->load();
}

QVariant ComparePage::state() const { return QVariant::fromValue(m_impl->request); }

void ComparePage::setState(const QVariant& state) {
    m_impl->request = state.value<ComparisonRequest>();
    m_impl->band->setCurrentIndex(std::max(0, m_impl->band->findData(static_cast<int>(m_impl->request.band))));
    m_impl->load();
    m_impl->loadChoices();
}

void ComparePage::compareStudy(const QString& study) {
    m_impl->library().query<Result<PairChoice>>(
        this, QStringLiteral("compare.study"), [study](RunReader& reader) { return loadStudyArms(reader, study); },
        [this](Result<PairChoice> arms) {
            if (!arms)
                m_impl->notice->showNotice(NoticeLevel::Error, format::error(arms.error()));
            else if (arms->groupA.isEmpty() || arms->groupB.isEmpty())
                m_impl->notice->showNotice(
                    NoticeLevel::Info,
                    tr("The study “%1” has only one arm: there is nothing to compare it with.").arg(arms->title));
            else
                m_impl->choose(arms->groupA, arms->groupB);
        });
}

void ComparePage::compareGroups(const QStringList& groupA, const QStringList& groupB) {
    m_impl->choose(groupA, groupB);
}

} // namespace accumulus::ui
