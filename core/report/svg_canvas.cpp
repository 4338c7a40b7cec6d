// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/svg_canvas.h"

#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <iterator>

namespace accumulus {
namespace {

/// Two decimals without trailing zeros: a hundredth of a user unit is far below a pixel.
std::string number(double value) {
    std::string text = fmt::format("{:.2f}", value);
    while (text.back() == '0')
        text.pop_back();
    if (text.back() == '.')
        text.pop_back();
    return text == "-0" ? "0" : text;
}

std::string pointList(const std::vector<Point>& points) {
    std::string list;
    list.reserve(points.size() * 14);
    for (const Point& point : points) {
        if (!list.empty())
            list += ' ';
        list += number(point.x);
        list += ',';
        list += number(point.y);
    }
    return list;
}

/// Length of the UTF-8 sequence at `at`, 0 when it is malformed (overlong forms and surrogates included).
std::size_t sequenceLength(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t index) { return static_cast<std::uint8_t>(text[index]); };
    const std::uint8_t lead = byte(at);
    if (lead < 0x80)
        return 1;
    const std::size_t length = lead >= 0xF0 ? 4 : (lead >= 0xE0 ? 3 : 2);
    if (lead < 0xC2 || lead > 0xF4 || at + length > text.size())
        return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte(at + i) & 0xC0U) != 0x80U)
            return 0;
    const std::uint8_t second = byte(at + 1);
    if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) || (lead == 0xF0 && second < 0x90) ||
        (lead == 0xF4 && second > 0x8F))
        return 0;
    return length;
}

/// Advance of a character in units of the font size; DejaVu Sans, one of the widest faces in use, sets the scale.
double advance(std::string_view character) {
    if (character == "−" || character == "×" || character == "±" || character == "+")
        return 0.84;
    if (character.size() >= 3) {
        const auto lead = static_cast<std::uint8_t>(character.front());
        return lead >= 0xE3 ? 1.0 : 0.66; // from U+3000 on mostly full width
    }
    const char c = character.front();
    if (std::string_view(" .,:;|!'ijlIft()[]/").find(c) != std::string_view::npos)
        return 0.38;
    if (std::string_view("mwMW@%").find(c) != std::string_view::npos)
        return 0.98;
    return c >= 'A' && c <= 'Z' ? 0.70 : 0.62;
}

} // namespace

std::string escapeMarkup(const std::string& text) {
    std::string out;
    out.reserve(text.size() + text.size() / 8);
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = sequenceLength(text, at);
        const char c = text[at];
        if (length == 0 || (static_cast<std::uint8_t>(c) < 0x20 && c != '\n' && c != '\t') ||
            text.compare(at, length, "\xEF\xBF\xBE") == 0 || text.compare(at, length, "\xEF\xBF\xBF") == 0)
            out += "\uFFFD"; // not allowed in XML
        else if (c == '&')
            out += "&amp;";
        else if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '"')
            out += "&quot;";
        else
            out.append(text, at, length);
        at += std::max<std::size_t>(length, 1);
    }
    return out;
}

double textWidth(std::string_view text, double size) {
    double width = 0.0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = std::max<std::size_t>(sequenceLength(text, at), 1);
        width += advance(text.substr(at, length));
        at += length;
    }
    return width * size;
}

std::string fitText(const std::string& text, double width, double size) {
    if (textWidth(text, size) <= width)
        return text;
    std::string kept;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = std::max<std::size_t>(sequenceLength(text, at), 1);
        if (textWidth(kept + text.substr(at, length) + "…", size) > width)
            break;
        kept.append(text, at, length);
        at += length;
    }
    return kept + "…";
}

SvgCanvas::SvgCanvas(double width, double height, const std::string& description) {
    m_out = fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.2\" baseProfile=\"tiny\" width=\"{0}\" "
                        "height=\"{1}\" viewBox=\"0 0 {0} {1}\" font-family=\"sans-serif\">\n",
                        number(width), number(height));
    if (!description.empty())
        m_out += "<desc>" + escapeMarkup(description) + "</desc>\n";
}

void SvgCanvas::rect(const Box& box, const std::string& fill, const std::string& stroke, double opacity,
                     double radius) {
    fmt::format_to(std::back_inserter(m_out),
                   "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" stroke=\"{}\"", number(box.left),
                   number(box.top), number(box.width), number(box.height), escapeMarkup(fill), escapeMarkup(stroke));
    if (opacity < 1.0)
        m_out += " fill-opacity=\"" + number(opacity) + "\"";
    if (radius > 0.0)
        m_out += " rx=\"" + number(radius) + "\" ry=\"" + number(radius) + "\"";
    m_out += "/>\n";
}

void SvgCanvas::line(Point from, Point to, const std::string& stroke, double width, const std::string& dashes) {
    fmt::format_to(std::back_inserter(m_out),
                   "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{}\" stroke-width=\"{}\"", number(from.x),
                   number(from.y), number(to.x), number(to.y), escapeMarkup(stroke), number(width));
    if (!dashes.empty())
        m_out += " stroke-dasharray=\"" + dashes + "\"";
    m_out += "/>\n";
}

void SvgCanvas::circle(Point centre, double radius, const std::string& fill, const std::string& stroke, double width,
                       double opacity) {
    fmt::format_to(
        std::back_inserter(m_out), "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"{}\"",
        number(centre.x), number(centre.y), number(radius), escapeMarkup(fill), escapeMarkup(stroke), number(width));
    if (opacity < 1.0)
        fmt::format_to(std::back_inserter(m_out), " fill-opacity=\"{0}\" stroke-opacity=\"{0}\"", number(opacity));
    m_out += "/>\n";
}

void SvgCanvas::polyline(const std::vector<Point>& points, const std::string& stroke, double width, bool dashed,
                         double opacity) {
    fmt::format_to(std::back_inserter(m_out),
                   "<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"",
                   escapeMarkup(stroke), number(width));
    if (dashed)
        m_out += " stroke-dasharray=\"6,3\"";
    if (opacity < 1.0)
        m_out += " stroke-opacity=\"" + number(opacity) + "\"";
    m_out += " points=\"" + pointList(points) + "\"/>\n";
}

void SvgCanvas::polygon(const std::vector<Point>& points, const std::string& fill, double opacity) {
    fmt::format_to(std::back_inserter(m_out),
                   "<polygon fill=\"{}\" fill-opacity=\"{}\" stroke=\"none\" points=\"{}\"/>\n", escapeMarkup(fill),
                   number(opacity), pointList(points));
}

void SvgCanvas::path(const std::string& data, const std::string& stroke, double width) {
    fmt::format_to(std::back_inserter(m_out),
                   "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linecap=\"round\" "
                   "stroke-linejoin=\"round\"/>\n",
                   data, escapeMarkup(stroke), number(width));
}

void SvgCanvas::text(Point at, const std::string& content, double size, Anchor anchor, const std::string& fill,
                     bool bold, double rotation) {
    static constexpr const char* anchors[] = {"start", "middle", "end"};
    fmt::format_to(std::back_inserter(m_out), "<text x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"{}\" fill=\"{}\"",
                   number(at.x), number(at.y), number(size), anchors[static_cast<std::size_t>(anchor)],
                   escapeMarkup(fill));
    if (bold)
        m_out += " font-weight=\"bold\"";
    if (rotation != 0.0)
        fmt::format_to(std::back_inserter(m_out), " transform=\"rotate({} {} {})\"", number(rotation), number(at.x),
                       number(at.y));
    m_out += ">" + escapeMarkup(content) + "</text>\n";
}

std::string SvgCanvas::finish() { return std::move(m_out) + "</svg>\n"; }

} // namespace accumulus
