// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/home/home_page.h"

#include "widgets/models/library_rights.h"
#include "widgets/pages/file_drop.h"
#include "widgets/pages/home/own_network.h"
#include "widgets/plots/batch_bar.h"
#include "widgets/style/controls.h"
#include "widgets/style/format.h"
#include "widgets/style/icons.h"

#include <QDir>
#include <QHBoxLayout>
#include <QPushButton>
#include <QResizeEvent>
#include <QScrollArea>
#include <QStyle>
#include <utility>

namespace accumulus::ui {
namespace {

constexpr int pictureHeight = 92;
constexpr int cardWidth = 220; ///< at least
constexpr int contentWidth = 1440;
// The two arms of the bundled first comparison.
constexpr std::size_t demoSteps = 8;
constexpr std::int64_t demoMicro = 32;

/// A batch bar and, at its right, what it shows.
QWidget* labelledBar(const Theme& theme, Arm arm, std::vector<std::int64_t> sizes, const QString& text) {
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(space::m);
    auto* bar = new BatchBar(theme);
    const std::size_t blocks = sizes.size();
    bar->setArm(arm);
    bar->setMicroSizes(std::move(sizes));
    bar->setFilled(blocks);
    bar->setWindowClosed(true);
    auto* label = new RoleLabel(theme, TextRole::Caption, text);
    label->setWordWrap(false);
    label->setFixedWidth(
        QFontMetrics(theme.captionFont()).horizontalAdvance(QStringLiteral("256 × 1 "))); // both bars are as long
    layout->addWidget(bar, 1);
    layout->addWidget(label);
    return row;
}

} // namespace

HomePage::HomePage(Services services, QWidget* parent) : Page(parent), m_services(services) {
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(space::pageMargin, space::pageMargin, space::pageMargin, space::pageMargin);
    column->setSpacing(space::xl);

    auto* head = new QVBoxLayout;
    head->setSpacing(space::xs);
    head->addWidget(new RoleLabel(m_services.theme, TextRole::PageTitle, tr("Is it really the large batch?")));
    head->addWidget(new RoleLabel(m_services.theme, TextRole::Body,
                                  tr("Train with gradient accumulation, train with the large batch, and see what "
                                     "differs: the curves, the cost, and "
                                     "a verdict over seeds.")));
    column->addLayout(head);

    auto* cards = m_cards = new QBoxLayout(QBoxLayout::LeftToRight);
    cards->setSpacing(space::l);
    cards->addWidget(demoCard(), 1);
    cards->addWidget(
        actionCard(QStringLiteral("setup"), tr("Set up an experiment"),
                   tr("Choose a model, a data set, an effective batch and how many micro-batches it is made of. "
                      "The large batch can run beside it from the same weights and in the same sample order."),
                   {{tr("Set up"), QStringLiteral("homeSetupButton"), &HomePage::setupRequested},
                    {tr("Examples…"), QStringLiteral("homeExamplesButton"), &HomePage::examplesRequested}}),
        1);
    Card* library =
        actionCard(QStringLiteral("library"), tr("Open a library"),
                   tr("Every run is kept in one file with its curves, settings and checkpoints. Open another one, or a "
                      "colleague's."),
                   {{tr("Open…"), QStringLiteral("homeOpenLibraryButton"), &HomePage::openLibraryRequested}});
    m_libraryPath = new RoleLabel(m_services.theme, TextRole::Caption);
    m_libraryPath->setObjectName(QStringLiteral("homeLibraryPath"));
    library->content()->insertWidget(2, m_libraryPath);
    cards->addWidget(library, 1);
    column->addLayout(cards);
    column->addWidget(deviceLine());
    column->addWidget(ownNetworkCard());
    m_recentCard = recentCard();
    column->addWidget(m_recentCard);
    column->addStretch(1);

    // On a very wide window the cards stay near each other instead of stretching.
    content->setMaximumWidth(contentWidth);
    auto* holder = new QWidget;
    auto* centred = new QHBoxLayout(holder);
    centred->setContentsMargins(0, 0, 0, 0);
    centred->addWidget(content, 1);
    centred->addStretch(0);
    auto* scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(holder);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(scroll);

    followLibrary();
    connect(&m_services.theme, &Theme::changed, this, &HomePage::fitCards); // letters of another size
    connect(new FileDrop(m_services.theme, *this), &FileDrop::dropped, this, &HomePage::filesBrought);
    showLibrary();
}

/// Beside each other where they have room, else below: nothing is cut, and nobody scrolls sideways.
void HomePage::fitCards() {
    int beside = (m_cards->count() - 1) * m_cards->spacing() + 2 * space::pageMargin +
                 style()->pixelMetric(QStyle::PM_ScrollBarExtent);
    for (int card = 0; card < m_cards->count(); ++card)
        beside += m_cards->itemAt(card)->minimumSize().width();
    m_cards->setDirection(width() < beside ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

void HomePage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    fitCards();
}

Card* HomePage::demoCard() {
    auto* card = new Card(m_services.theme, tr("Run the 1-minute demo"));
    card->setMinimumWidth(cardWidth);
    auto* picture = new QWidget;
    picture->setFixedHeight(pictureHeight);
    auto* bars = new QVBoxLayout(picture);
    bars->setContentsMargins(0, space::s, 0, space::s);
    bars->setSpacing(space::m);
    bars->addWidget(
        labelledBar(m_services.theme, Arm::Accumulated, std::vector<std::int64_t>(demoSteps, demoMicro), tr("32 × 8")));
    bars->addWidget(labelledBar(m_services.theme, Arm::LargeBatch, {demoMicro * static_cast<std::int64_t>(demoSteps)},
                                tr("256 × 1")));
    card->content()->addWidget(picture);
    card->content()->addWidget(new RoleLabel(m_services.theme, TextRole::Body,
                                             tr("A small network learns handwritten digits twice, with 256 samples per "
                                                "update each time: as 8 micro-batches of 32 "
                                                "and as one batch of 256. Five seeds, then the verdict.")));
    card->content()->addStretch(1);
    m_demo = primaryButton(m_services.theme, tr("Run the demo"));
    m_demo->setObjectName(QStringLiteral("homeDemoButton"));
    connect(m_demo, &QPushButton::clicked, this, &HomePage::demoRequested);
    card->content()->addWidget(m_demo, 0, Qt::AlignLeft);
    return card;
}

Card* HomePage::actionCard(const QString& iconName, const QString& title, const QString& text,
                           const QList<Button>& buttons) {
    constexpr int iconSize = 56;
    auto* card = new Card(m_services.theme, title);
    card->setMinimumWidth(cardWidth);
    auto* picture = new QLabel;
    picture->setFixedHeight(pictureHeight);
    picture->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    const auto recolor = [this, picture, iconName] {
        picture->setPixmap(
            icon(iconName, m_services.theme.colors().accent).pixmap(QSize(iconSize, iconSize), devicePixelRatioF()));
    };
    connect(&m_services.theme, &Theme::changed, picture, recolor);
    recolor();
    card->content()->addWidget(picture);
    card->content()->addWidget(new RoleLabel(m_services.theme, TextRole::Body, text));
    card->content()->addStretch(1);
    auto* row = new QHBoxLayout;
    row->setSpacing(space::s);
    for (const Button& one : buttons) {
        auto* button = new QPushButton(one.text);
        button->setObjectName(one.name);
        connect(button, &QPushButton::clicked, this, one.requested);
        row->addWidget(button);
    }
    row->addStretch(1);
    card->content()->addLayout(row);
    return card;
}

Card* HomePage::ownNetworkCard() {
    auto* card = new Card(m_services.theme, tr("Bring your own network"));
    auto* steps = new OwnNetwork(m_services.theme);
    connect(steps, &OwnNetwork::filesChosen, this, &HomePage::filesBrought);
    card->content()->addWidget(steps);
    return card;
}

QWidget* HomePage::deviceLine() {
    constexpr int iconSize = 20;
    auto* line = new QWidget;
    auto* row = new QHBoxLayout(line);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(space::s);
    auto* picture = new QLabel;
    const auto recolor = [this, picture] {
        picture->setPixmap(icon(QStringLiteral("device"), m_services.theme.colors().secondary)
                               .pixmap(QSize(iconSize, iconSize), devicePixelRatioF()));
    };
    connect(&m_services.theme, &Theme::changed, picture, recolor);
    recolor();
    m_device = new RoleLabel(m_services.theme, TextRole::Body, tr("Looking for devices…"));
    m_device->setWordWrap(false);
    m_device->setObjectName(QStringLiteral("homeDevice"));
    m_deviceNote = new RoleLabel(m_services.theme, TextRole::Caption);
    m_deviceNote->setWordWrap(false);
    m_deviceNote->setObjectName(QStringLiteral("homeDeviceNote"));
    row->addWidget(picture);
    row->addWidget(m_device);
    row->addWidget(m_deviceNote);
    row->addStretch(1);
    return line;
}

void HomePage::activated() {
    inspectTheDevice();
    readRecent();
}

void HomePage::inspectTheDevice() {
    if (std::exchange(m_deviceAsked, true))
        return;
    m_lookUps.ask<DeviceSummary>(
        []() -> Result<DeviceSummary> { return inspectDevice(); },
        [this](const Result<DeviceSummary>& found) {
            m_device->setText(found ? format::facts(found->facts) : format::error(found.error()));
            m_deviceNote->setText(found && found->note ? format::note(*found->note) : QString());
            if (found)
                Q_EMIT deviceInspected(*found);
        });
}

void HomePage::showLibrary() {
    QString path = format::fromUtf8(m_services.library.path().string());
    m_libraryPath->setToolTip(path);
    if (const QString home = QDir::homePath() + QLatin1Char('/'); path.startsWith(home))
        path.replace(0, home.size(), QStringLiteral("~/"));
    m_libraryPath->setText(path.isEmpty() ? QString() : tr("Open now: %1").arg(path));
    const QString why = whyNoWriting(m_services.library);
    m_demo->setEnabled(why.isEmpty());
    m_demo->setToolTip(why);
    m_demo->setAccessibleDescription(why.isEmpty() ? tr("Starts the bundled comparison and opens the Live page") : why);
}

} // namespace accumulus::ui
