// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/screenshot.h"
#include "widgets/style/controls.h"
#include "widgets/style/icons.h"
#include "widgets/style/number_box.h"
#include "widgets/style/theme.h"

#include <QAccessible>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QSlider>
#include <QTabBar>
#include <QTableWidget>
#include <QTest>
#include <QToolButton>
#include <cmath>

namespace test_style {
using namespace accumulus;
using namespace accumulus::ui;

namespace {

/// Relative luminance and contrast ratio as WCAG 2.1 defines them.
double luminance(const QColor& color) {
    const auto linear = [](double c) { return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

double contrast(const QColor& a, const QColor& b) {
    const double la = luminance(a);
    const double lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

void modes(bool withContrast) {
    QTest::addColumn<bool>("dark");
    QTest::addColumn<bool>("more");
    for (int row = 0; row < (withContrast ? 4 : 2); ++row)
        QTest::addRow("%s%s", row % 2 ? "dark" : "light", row > 1 ? ", more contrast" : "")
            << (row % 2 == 1) << (row > 1);
}

} // namespace

class TestStyle : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
    void theContrastRatioItselfIsRight() { QVERIFY(std::abs(contrast(Qt::black, Qt::white) - 21.0) < 1e-9); }

    // Where the keyboard is shows on every kind of button, in both themes, against the button and against the page.
    void buttonsShowTheKeyboardsFocus_data() {
        QTest::addColumn<bool>("dark");
        QTest::addColumn<bool>("primary");
        for (const bool dark : {false, true})
            for (const bool primary : {false, true})
                QTest::addRow("%s, %s", dark ? "dark" : "light", primary ? "primary" : "plain") << dark << primary;
    }
    void buttonsShowTheKeyboardsFocus() {
        QFETCH(bool, dark);
        QFETCH(bool, primary);
        Theme theme(*qApp);
        theme.setMode(dark ? ThemeMode::Dark : ThemeMode::Light);
        QWidget window;
        auto* row = new QHBoxLayout(&window);
        auto* other = new QLineEdit;
        auto* button = primary ? primaryButton(theme, "Start") : new QPushButton("Stop");
        row->addWidget(other);
        row->addWidget(button);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        window.activateWindow();
        other->setFocus();
        const QImage without = button->grab().toImage();
        QTest::keyClick(other, Qt::Key_Tab);
        QTRY_VERIFY(button->hasFocus());
        const QImage with = button->grab().toImage();
        int changed = 0;
        double strongest = 0.0;
        for (int y = 0; y < with.height(); ++y)
            for (int x = 0; x < with.width(); ++x)
                if (with.pixel(x, y) != without.pixel(x, y)) {
                    ++changed;
                    strongest = std::max(strongest, contrast(with.pixelColor(x, y), without.pixelColor(x, y)));
                }
        QVERIFY2(changed > with.width() + with.height(), qPrintable(QString::number(changed)));
        QVERIFY2(strongest >= 3.0, qPrintable(QString::number(strongest)));
        theme.setMode(ThemeMode::System);
    }

    void bordersOfFieldsAreVisible() {
        for (const ThemeMode mode : {ThemeMode::Light, ThemeMode::Dark}) {
            Theme theme(*qApp);
            theme.setMode(mode);
            QLineEdit line;
            line.resize(120, 32);
            const QImage picture = line.grab().toImage();
            QColor border = picture.pixelColor(picture.width() / 2, 0);
            const double seen = contrast(border, theme.colors().card);
            QVERIFY2(seen >= 3.0, qPrintable(QString::number(seen)));
            theme.setMode(ThemeMode::System);
        }
    }

    void aNumberBoxTellsItsValueToAScreenReader() {
        NumberBox box(NumberBox::Kind::Integer);
        box.setRange(1.0, 4096.0);
        box.setInteger(256);
        QAccessibleInterface* reader = QAccessible::queryAccessibleInterface(&box);
        QVERIFY(reader != nullptr && reader->valueInterface() != nullptr);
        QAccessibleValueInterface* value = reader->valueInterface();
        QCOMPARE(value->currentValue().toInt(), 256);
        QCOMPARE(value->minimumValue().toInt(), 1);
        QCOMPARE(value->maximumValue().toInt(), 4096);
        QSignalSpy edited(&box, &NumberBox::numberEdited);
        value->setCurrentValue(512);
        QCOMPARE(box.integer().value_or(0), 512);
        QCOMPARE(edited.count(), 1);
        NumberBox real(NumberBox::Kind::Real);
        real.setReal(0.05);
        QCOMPARE(QAccessible::queryAccessibleInterface(&real)->valueInterface()->currentValue().toDouble(), 0.05);
    }

    // At 150 % a pixmap of an icon has the screen's pixels, no stretched ones.
    void iconsAreSharpAtAnyScale() {
        const QPixmap pixmap = icon(QStringLiteral("play"), Qt::black).pixmap(QSize(16, 16), 1.5);
        QCOMPARE(pixmap.size(), QSize(24, 24));
        QCOMPARE(pixmap.devicePixelRatio(), 1.5);
    }

    void textIsReadable_data() { modes(true); }
    void textIsReadable() {
        QFETCH(bool, dark);
        QFETCH(bool, more);
        const ThemeColors plain = dark ? darkColors() : lightColors();
        const ThemeColors colors = more ? withMoreContrast(plain) : plain;
        QCOMPARE(colors.dark, dark);
        const double least = more ? 7.0 : 4.5; // WCAG 2.1, AAA and AA
        for (const QColor& ground : {colors.window, colors.card, colors.cardAlternate})
            for (const QColor& text :
                 {colors.text, colors.secondary, colors.accent, colors.good, colors.warning, colors.bad})
                QVERIFY2(contrast(text, ground) >= least,
                         qPrintable(QStringLiteral("%1 on %2").arg(text.name(), ground.name())));
        QVERIFY(contrast(colors.onAccent, colors.accent) >= least);
        QVERIFY(!more || std::min(contrast(colors.border, colors.card), contrast(colors.axis, colors.card)) >= 4.5);
        QList<QColor> lines = colors.series;
        lines << colors.accumulated << colors.largeBatch << colors.difference << colors.control;
        for (const QColor& line : lines)
            QVERIFY2(contrast(line, colors.card) >= 3.0, qPrintable(line.name()));
    }

    void modeSwitchesAtOnceAndIsRemembered() {
        Theme theme(*qApp);
        theme.setMode(ThemeMode::Light);
        QSignalSpy changes(&theme, &Theme::changed);
        theme.setMode(ThemeMode::Dark);
        QCOMPARE(changes.count(), 1);
        QVERIFY(theme.colors().dark);
        QCOMPARE(qApp->palette().color(QPalette::Window), darkColors().window);
        Theme next(*qApp);
        QVERIFY(next.mode() == ThemeMode::Dark);
        next.setMode(ThemeMode::Light);
        QCOMPARE(qApp->palette().color(QPalette::Window), lightColors().window);
    }

    void figuresHaveOneWidth() {
        const Theme theme(*qApp);
        const QFontMetricsF metrics(theme.numberFont());
        for (char digit = '1'; digit <= '9'; ++digit)
            QCOMPARE(metrics.horizontalAdvance(QLatin1Char(digit)), metrics.horizontalAdvance(QLatin1Char('0')));
    }

    void everyIconPaintsInTheColourAskedFor() {
        QVERIFY(iconNames().size() >= 40);
        for (const QString& name : iconNames()) {
            const QImage image = icon(name, QColor(200, 0, 100)).pixmap(QSize(48, 48)).toImage();
            bool found = false;
            for (int y = 0; y < image.height() && !found; ++y)
                for (int x = 0; x < image.width() && !found; ++x)
                    found = image.pixelColor(x, y) == QColor(200, 0, 100);
            QVERIFY2(found && icon(name, Qt::red).cacheKey() == icon(name, Qt::red).cacheKey(), qPrintable(name));
        }
        QVERIFY(icon(QStringLiteral("no such icon"), Qt::black).isNull());
    }

    void noticeBarIsSeenUntilClosed() {
        const Theme theme(*qApp);
        QWidget window;
        NoticeBar bar(theme, &window);
        window.show();
        QVERIFY(!bar.isVisible());
        bar.showNotice(NoticeLevel::Error, QStringLiteral("The disk is full."),
                       QStringLiteral("Choose another folder"));
        QVERIFY(bar.isVisible());
        QSignalSpy actions(&bar, &NoticeBar::actionTriggered);
        QTest::mouseClick(bar.findChild<QPushButton*>(QStringLiteral("noticeAction")), Qt::LeftButton);
        QCOMPARE(actions.count(), 1);
        QTest::mouseClick(bar.findChild<QToolButton*>(QStringLiteral("noticeClose")), Qt::LeftButton);
        QVERIFY(!bar.isVisible());
    }

    void targetsAreLargeEnough() {
        const Theme theme(*qApp);
        QPushButton button(QStringLiteral("Go"));
        QComboBox box;
        QSpinBox spin;
        QLineEdit line;
        QCheckBox check(QStringLiteral("x"));
        for (const QWidget* widget :
             {static_cast<QWidget*>(&button), static_cast<QWidget*>(&box), static_cast<QWidget*>(&spin),
              static_cast<QWidget*>(&line), static_cast<QWidget*>(&check)})
            QVERIFY2(widget->sizeHint().height() >= 32, widget->metaObject()->className());
    }

    void gallery_data() { modes(false); }
    void gallery() {
        QFETCH(bool, dark);
        Theme theme(*qApp);
        theme.setMode(dark ? ThemeMode::Dark : ThemeMode::Light);
        QWidget page;
        buildGallery(theme, page);
        page.resize(1000, 900);
        page.show();
        QCoreApplication::processEvents();
        test::saveScreenshot(page, dark ? QStringLiteral("style_dark") : QStringLiteral("style_light"));
        // The page's ground is the theme's: a style that ignored the palette would show here.
        QCOMPARE(page.grab().toImage().pixelColor(4, 4), theme.colors().window);
        theme.setMode(ThemeMode::Light);
    }

private:
    static void buildGallery(const Theme& theme, QWidget& page) {
        auto* column = new QVBoxLayout(&page);
        column->setContentsMargins(24, 24, 24, 24);
        column->addWidget(new RoleLabel(theme, TextRole::PageTitle, QStringLiteral("Set up an experiment")));
        column->addWidget(
            new RoleLabel(theme, TextRole::Caption, QStringLiteral("A caption in the secondary colour.")));
        for (const NoticeLevel level :
             {NoticeLevel::Info, NoticeLevel::Success, NoticeLevel::Warning, NoticeLevel::Error}) {
            auto* bar = new NoticeBar(theme);
            bar->showNotice(level,
                            QStringLiteral("2 runs were interrupted. They can go on from their last checkpoint."),
                            level == NoticeLevel::Warning ? QStringLiteral("Resume") : QString());
            column->addWidget(bar);
        }
        auto* card = new Card(theme, QStringLiteral("Controls"));
        column->addWidget(card);
        auto* buttons = new QHBoxLayout;
        buttons->addWidget(primaryButton(theme, QStringLiteral("Start")));
        auto* disabledPrimary = primaryButton(theme, QStringLiteral("Start"));
        disabledPrimary->setEnabled(false);
        buttons->addWidget(disabledPrimary);
        auto* plain = new QPushButton(icon(QStringLiteral("pause"), theme.colors().text), QStringLiteral("Pause"));
        buttons->addWidget(plain);
        auto* off = new QPushButton(QStringLiteral("Disabled"));
        off->setEnabled(false);
        buttons->addWidget(off);
        auto* checked = new QPushButton(QStringLiteral("Log y"));
        checked->setCheckable(true);
        checked->setChecked(true);
        buttons->addWidget(checked);
        auto* tool = new QToolButton;
        tool->setIcon(icon(QStringLiteral("search"), theme.colors().secondary));
        buttons->addWidget(tool);
        buttons->addStretch();
        card->content()->addLayout(buttons);
        auto* fields = new QHBoxLayout;
        auto* combo = new QComboBox;
        combo->addItems({QStringLiteral("LeNet-5"), QStringLiteral("MLP")});
        fields->addWidget(combo);
        auto* spin = new QDoubleSpinBox;
        spin->setSuffix(QStringLiteral(" samples"));
        fields->addWidget(spin);
        fields->addWidget(new QLineEdit(QStringLiteral("text")));
        auto* line = new QLineEdit;
        line->setPlaceholderText(QStringLiteral("status:done B>=256"));
        fields->addWidget(line);
        auto* offLine = new QLineEdit(QStringLiteral("off"));
        offLine->setEnabled(false);
        fields->addWidget(offLine);
        card->content()->addLayout(fields);
        auto* switches = new QHBoxLayout;
        for (const bool on : {true, false}) {
            auto* box = new QCheckBox(QStringLiteral("Also run the large batch"));
            box->setChecked(on);
            switches->addWidget(box);
            auto* radio = new QRadioButton(QStringLiteral("Weight by samples"));
            radio->setChecked(on);
            switches->addWidget(radio);
        }
        card->content()->addLayout(switches);
        auto* slider = new QSlider(Qt::Horizontal);
        slider->setValue(40);
        card->content()->addWidget(slider);
        auto* progress = new QProgressBar;
        progress->setTextVisible(false);
        progress->setValue(60);
        card->content()->addWidget(progress);
        auto* tabs = new QTabBar;
        tabs->addTab(QStringLiteral("Config"));
        tabs->addTab(QStringLiteral("Environment"));
        card->content()->addWidget(tabs);
        auto* table = new QTableWidget(30, 4);
        table->setHorizontalHeaderLabels(
            {QStringLiteral("Run"), QStringLiteral("Arm"), QStringLiteral("Seed"), QStringLiteral("Accuracy")});
        table->setItem(0, 0, new QTableWidgetItem(QStringLiteral("lenet5 32 × 8")));
        table->setItem(1, 0, new QTableWidgetItem(QStringLiteral("lenet5 256 × 1")));
        table->setSelectionBehavior(QAbstractItemView::SelectRows);
        table->selectRow(1);
        column->addWidget(table);
        auto* icons = new QHBoxLayout;
        for (const QString& name : iconNames().mid(0, 30)) {
            auto* label = new QLabel;
            label->setPixmap(icon(name, theme.colors().text).pixmap(24, 24));
            icons->addWidget(label);
        }
        column->addLayout(icons);
        auto* moreIcons = new QHBoxLayout;
        for (const QString& name : iconNames().mid(30)) {
            auto* label = new QLabel;
            label->setPixmap(icon(name, theme.colors().accent).pixmap(24, 24));
            moreIcons->addWidget(label);
        }
        moreIcons->addStretch();
        column->addLayout(moreIcons);
    }
};

QTEST_MAIN(TestStyle)
} // namespace test_style
#include "test_style.moc"
