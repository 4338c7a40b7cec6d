// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/style/theme.h"

#include "core/base/run_colours.h"
#include "widgets/style/workbench_style.h"

#include <QApplication>
#include <QEvent>
#include <QFontDatabase>
#include <QFontMetricsF>
#include <QPalette>
#include <QSettings>
#include <QStyleHints>
#include <QTimer>
#include <QToolTip>
#include <QWindow>
#include <algorithm>
#include <cmath>

namespace accumulus::ui {

namespace {

constexpr auto kThemeKey = "view/theme";
constexpr auto kTextSizeKey = "view/textSize";
constexpr auto kAnimationsKey = "view/animations";

QString modeName(ThemeMode mode) {
    switch (mode) {
    case ThemeMode::Light:
        return QStringLiteral("light");
    case ThemeMode::Dark:
        return QStringLiteral("dark");
    case ThemeMode::System:
        break;
    }
    return QStringLiteral("system");
}

ThemeMode modeFromName(const QString& name) {
    if (name == QStringLiteral("light"))
        return ThemeMode::Light;
    if (name == QStringLiteral("dark"))
        return ThemeMode::Dark;
    return ThemeMode::System;
}

QColor rgb(unsigned value) { return QColor::fromRgb(value); }

QColor drawn(const RunColour& colour, bool dark) {
    const std::string_view name = dark ? colour.onDark : colour.onLight;
    return QColor(QLatin1String(name.data(), static_cast<qsizetype>(name.size())));
}

QPalette paletteOf(const ThemeColors& colors) {
    QPalette palette;
    palette.setColor(QPalette::Window, colors.window);
    palette.setColor(QPalette::WindowText, colors.text);
    palette.setColor(QPalette::Base, colors.card);
    palette.setColor(QPalette::AlternateBase, colors.cardAlternate);
    palette.setColor(QPalette::Text, colors.text);
    palette.setColor(QPalette::Button, colors.card);
    palette.setColor(QPalette::ButtonText, colors.text);
    palette.setColor(QPalette::BrightText, colors.bad);
    palette.setColor(QPalette::PlaceholderText, colors.secondary);
    palette.setColor(QPalette::ToolTipBase, colors.card);
    palette.setColor(QPalette::ToolTipText, colors.text);
    palette.setColor(QPalette::Highlight, colors.accent);
    palette.setColor(QPalette::HighlightedText, colors.onAccent);
    palette.setColor(QPalette::Link, colors.accent);
    palette.setColor(QPalette::LinkVisited, colors.accent);
    palette.setColor(QPalette::Light, colors.card);
    palette.setColor(QPalette::Midlight, colors.cardAlternate);
    palette.setColor(QPalette::Mid, colors.border);
    palette.setColor(QPalette::Dark, colors.border);
    palette.setColor(QPalette::Shadow, colors.border);
    QColor disabled = colors.secondary;
    disabled.setAlpha(150);
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, disabled);
    palette.setColor(QPalette::Disabled, QPalette::Highlight, colors.border);
    palette.setColor(QPalette::Disabled, QPalette::HighlightedText, colors.secondary);
    return palette;
}

QFont scaled(QFont font, double factor) {
    if (font.pointSizeF() > 0)
        font.setPointSizeF(font.pointSizeF() * factor);
    else
        font.setPixelSize(qRound(font.pixelSize() * factor));
    return font;
}

/// A bold face alone would stand heavily beside the text.
bool hasRegularFace(const QString& family) {
    const QStringList styles = QFontDatabase::styles(family);
    return std::ranges::any_of(styles, [&](const QString& style) {
        return QFontDatabase::weight(family, style) == QFont::Normal && !QFontDatabase::italic(family, style);
    });
}

/// A sans-serif family with a regular face for Chinese letters; empty where there is none.
QString chineseFamily() {
    const QStringList known{QStringLiteral("Noto Sans CJK SC"),    QStringLiteral("Noto Sans SC"),
                            QStringLiteral("Source Han Sans SC"),  QStringLiteral("Source Han Sans CN"),
                            QStringLiteral("PingFang SC"),         QStringLiteral("Microsoft YaHei"),
                            QStringLiteral("WenQuanYi Micro Hei"), QStringLiteral("WenQuanYi Zen Hei"),
                            QStringLiteral("Droid Sans Fallback")};
    const QStringList able = QFontDatabase::families(QFontDatabase::SimplifiedChinese);
    for (const QStringList& candidates : {known, able})
        for (const QString& family : candidates)
            if (able.contains(family) && hasRegularFace(family))
                return family;
    return {};
}

/// With a Chinese family behind its own: what the system falls back to is often the bold face only, or Japanese.
QFont withChinese(QFont font) {
    static const QString chinese = chineseFamily();
    // By its real name: in a list, Qt passes over an alias such as "Sans Serif", and Latin letters would be Chinese
    // ones, too.
    QStringList families{QFontInfo(font).family()};
    if (!chinese.isEmpty() && !families.contains(chinese))
        families << chinese;
    font.setFamilies(families);
    return font;
}

bool hasTabularFigures(const QFont& font) {
    const QFontMetricsF metrics(font);
    const qreal width = metrics.horizontalAdvance(QLatin1Char('0'));
    for (char digit = '1'; digit <= '9'; ++digit)
        if (!qFuzzyCompare(metrics.horizontalAdvance(QLatin1Char(digit)), width))
            return false;
    return true;
}

} // namespace

QColor ThemeColors::selection() const {
    const double share = dark ? 0.26 : 0.14;
    const auto mix = [share](int a, int b) { return static_cast<int>(std::lround(a * (1.0 - share) + b * share)); };
    return QColor(mix(card.red(), accent.red()), mix(card.green(), accent.green()), mix(card.blue(), accent.blue()));
}

ThemeColors lightColors() {
    ThemeColors colors;
    colors.dark = false;
    colors.window = rgb(0xF7F8FA);
    colors.card = rgb(0xFFFFFF);
    colors.cardAlternate = rgb(0xF1F3F6);
    colors.border = rgb(0xE2E5EA);
    colors.text = rgb(0x1B1F24);
    colors.secondary = rgb(0x5A6472);
    colors.accent = rgb(0x0B66C3);
    colors.onAccent = rgb(0xFFFFFF);
    colors.good = rgb(0x17733A);
    colors.warning = rgb(0x8A5A00);
    colors.bad = rgb(0xB3261E);
    colors.accumulated = drawn(runColours[0], colors.dark);
    colors.largeBatch = drawn(runColours[1], colors.dark);
    colors.difference = drawn(runColours[2], colors.dark);
    colors.control = rgb(0x6B7280);
    colors.grid = rgb(0xECEFF3);
    colors.axis = rgb(0x8A94A1);
    for (std::size_t i = 3; i < runColours.size(); ++i)
        colors.series << drawn(runColours[i], colors.dark);
    return colors;
}

ThemeColors darkColors() {
    ThemeColors colors;
    colors.dark = true;
    colors.window = rgb(0x16191D);
    colors.card = rgb(0x1E2227);
    colors.cardAlternate = rgb(0x252A30);
    colors.border = rgb(0x353C44);
    colors.text = rgb(0xE6E9ED);
    colors.secondary = rgb(0x9AA4B1);
    colors.accent = rgb(0x5AA9F8);
    colors.onAccent = rgb(0x0C1520);
    colors.good = rgb(0x5CCB8A);
    colors.warning = rgb(0xE5B454);
    colors.bad = rgb(0xFF8A80);
    colors.accumulated = drawn(runColours[0], colors.dark);
    colors.largeBatch = drawn(runColours[1], colors.dark);
    colors.difference = drawn(runColours[2], colors.dark);
    colors.control = rgb(0xA3ACB8);
    colors.grid = rgb(0x2A3037);
    colors.axis = rgb(0x6E7985);
    for (std::size_t i = 3; i < runColours.size(); ++i)
        colors.series << drawn(runColours[i], colors.dark);
    return colors;
}

ThemeColors withMoreContrast(ThemeColors colors) {
    colors.window = colors.card = colors.dark ? rgb(0x000000) : rgb(0xFFFFFF);
    colors.cardAlternate = colors.dark ? rgb(0x161616) : rgb(0xF0F0F0);
    colors.text = colors.dark ? rgb(0xFFFFFF) : rgb(0x000000);
    colors.border = colors.axis = colors.dark ? rgb(0xB4BCC6) : rgb(0x4A525C);
    colors.secondary = colors.dark ? rgb(0xD8DDE3) : rgb(0x2E343B);
    colors.accent = colors.dark ? rgb(0x8CC8FF) : rgb(0x00418F);
    colors.onAccent = colors.dark ? rgb(0x000000) : rgb(0xFFFFFF);
    colors.good = colors.dark ? rgb(0x7FE3A6) : rgb(0x0B4F25);
    colors.warning = colors.dark ? rgb(0xFFD57A) : rgb(0x5C3B00);
    colors.bad = colors.dark ? rgb(0xFFB3AB) : rgb(0x860C06);
    colors.control = colors.secondary;
    colors.grid = colors.dark ? rgb(0x4A4F56) : rgb(0xC4C9D0);
    return colors;
}

Theme::Theme(QApplication& application, QObject* parent)
    : QObject(parent), m_application(application), m_system(application.font()),
      m_platform(QFontDatabase::systemFont(QFontDatabase::GeneralFont)), m_style(new WorkbenchStyle) {
    m_mode = modeFromName(QSettings().value(QLatin1String(kThemeKey)).toString());
    m_textSize = std::clamp(QSettings().value(QLatin1String(kTextSizeKey), text_size::usual).toInt(),
                            text_size::smallest, text_size::largest);
    m_animations = QSettings().value(QLatin1String(kAnimationsKey), true).toBool();
    applyFont();
    m_style->setAnimations(m_animations);
    m_application.setStyle(m_style);
    m_application.installEventFilter(this);
    connect(&m_desktop, &DesktopSettings::changed, this, &Theme::apply);
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
    connect(m_application.styleHints(), &QStyleHints::colorSchemeChanged, this, [this] {
        if (m_mode == ThemeMode::System)
            apply();
    });
#endif
    apply();
}

Theme::~Theme() { m_application.setFont(m_system); }

ThemeMode Theme::mode() const { return m_mode; }

void Theme::setMode(ThemeMode mode) {
    if (mode == m_mode)
        return;
    m_mode = mode;
    QSettings().setValue(QLatin1String(kThemeKey), modeName(mode));
    apply();
}

const ThemeColors& Theme::colors() const { return m_colors; }

int Theme::textSize() const { return m_textSize; }

void Theme::setTextSize(int percent) {
    percent = std::clamp(percent, text_size::smallest, text_size::largest);
    if (percent == m_textSize)
        return;
    m_textSize = percent;
    QSettings().setValue(QLatin1String(kTextSizeKey), percent);
    applyFont();
    Q_EMIT changed();
    Q_EMIT textSizeChanged();
}

void Theme::setAnimations(bool on) {
    if (on == m_animations)
        return;
    m_animations = on;
    QSettings().setValue(QLatin1String(kAnimationsKey), on);
    if (m_style)
        m_style->setAnimations(on);
    Q_EMIT animationsChanged(on);
}

void Theme::applyFont() {
    m_base = scaled(withChinese(m_system), m_textSize / 100.0);
    m_application.setFont(m_base);
}

bool Theme::systemIsDark() {
    if (m_desktop.scheme() != DesktopSettings::Scheme::Unknown)
        return m_desktop.scheme() == DesktopSettings::Scheme::Dark;
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
    if (const auto scheme = m_application.styleHints()->colorScheme(); scheme != Qt::ColorScheme::Unknown)
        return scheme == Qt::ColorScheme::Dark;
#endif
    // An empty palette brings the platform's own one back, so that it can be read.
    m_application.setPalette(QPalette());
    const QPalette platform = m_application.palette();
    return platform.color(QPalette::Window).lightness() < platform.color(QPalette::WindowText).lightness();
}

void Theme::apply() {
    const bool dark = m_mode == ThemeMode::Dark || (m_mode == ThemeMode::System && systemIsDark());
    m_colors = dark ? darkColors() : lightColors();
    if (m_desktop.moreContrast())
        m_colors = withMoreContrast(m_colors);
    if (m_style)
        m_style->setColors(m_colors);
    const QPalette palette = paletteOf(m_colors);
    m_application.setPalette(palette);
    QToolTip::setPalette(palette);
    Q_EMIT changed();
}

bool Theme::eventFilter(QObject* watched, QEvent* event) {
    // Desktops announce another palette or font this way; windows get it, one delayed look is enough.
    if (event->type() == QEvent::ThemeChange && watched->isWindowType())
        QTimer::singleShot(0, this, &Theme::followSystem);
    return QObject::eventFilter(watched, event);
}

void Theme::followSystem() {
    if (m_mode == ThemeMode::System)
        apply();
    const QFont font = QFontDatabase::systemFont(QFontDatabase::GeneralFont);
    if (font == m_platform)
        return;
    m_platform = font;
    setSystemFont(font);
}

void Theme::setSystemFont(const QFont& font) {
    m_system = font;
    applyFont();
    Q_EMIT changed();
    Q_EMIT textSizeChanged();
}

QFont Theme::pageTitleFont() const {
    QFont font = scaled(m_base, 1.6);
    font.setWeight(QFont::DemiBold);
    return font;
}

QFont Theme::cardTitleFont() const {
    QFont font = scaled(m_base, 1.15);
    font.setWeight(QFont::DemiBold);
    return font;
}

QFont Theme::captionFont() const { return scaled(m_base, 0.9); }

QFont Theme::numberFont() const {
    QFont font = m_base;
#if QT_VERSION >= QT_VERSION_CHECK(6, 7, 0)
    font.setFeature("tnum", 1);
#else
    if (!hasTabularFigures(font)) {
        font = withChinese(QFontDatabase::systemFont(QFontDatabase::FixedFont));
        if (m_base.pointSizeF() > 0)
            font.setPointSizeF(m_base.pointSizeF());
    }
#endif
    return font;
}

} // namespace accumulus::ui
