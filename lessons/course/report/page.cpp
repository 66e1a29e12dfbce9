#include "lessons/course/report/page.h"

#include <fmt/format.h>

#include "lessons/course/figures/png.h"
#include "lessons/course/figures/svg.h"
#include "lessons/course/live/figure_html.h"
#include "lessons/course/pages/pages.h"
#include "lessons/course/terminal/markup.h"

namespace heed::course {
namespace {

bool has_hangul(std::string_view text) {
    for (std::size_t i = 0; i + 2 < text.size(); ++i) {
        const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[i + k]); };
        if (byte(0) < 0xEA || byte(0) > 0xED) continue;
        const int code = (byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
        if (code >= 0xAC00 && code <= 0xD7A3) return true;
    }
    return false;
}

}  // namespace

std::string page_html(const std::string& title, const std::string& body, std::string_view style,
                      std::string_view script) {
    const bool live = has_live_figure(body);
    return fill(page_file("page.html"),
                {{"title", escape(title)},
                 {"style", fmt::format("{}{}{}{}{}{}", hangul_font_style(title + body),
                                       math_font_style(body), page_file("page.css"), svg_style(),
                                       style, live ? page_file("live.css") : "")},
                 {"body", body},
                 {"script", fmt::format("{}{}{}", page_file("page.js"), script,
                                        live ? page_file("live.js") : "")}});
}

// Both fonts are under the SIL Open Font License 1.1, and made with pyftsubset of fonttools.
//
// NanumGothic without hints, names and features, Copyright (c) 2010, NAVER Corporation
// (pages/hangul_license.txt):
//
//     pyftsubset NanumGothic.ttf --text-file=hangul.txt --flavor=woff2 --no-hinting
//         --desubroutinize --layout-features= --name-IDs= --output-file=hangul.woff2
std::string hangul_font_style(std::string_view page) {
    if (!has_hangul(page)) return "";
    return fmt::format(
        "@font-face {{ font-family: \"Heed Hangul\"; unicode-range: U+AC00-D7A3;\n"
        "    src: url({}) format(\"woff2\"); }}\n",
        data_address(page_file("hangul.woff2"), "font/woff2"));
}

// STIX Math 1.1.1, of Debian's package fonts-stix, with the characters of formulas (pages/math.txt), the
// italic letters that browsers put in their place, and its table MATH, Copyright (c) 2001-2011 by the
// STI Pub Companies (pages/math_license.txt):
//
//     pyftsubset STIXMath-Regular.otf --text-file=math.txt --flavor=woff2 --no-hinting
//         --unicodes=U+20,U+A0,U+1D434-1D467,U+210E,U+1D6E2-1D71B
//         --desubroutinize --layout-features=ssty --name-IDs=0,7 --output-file=math.woff2
std::string math_font_style(std::string_view page) {
    if (page.find("<math") == std::string_view::npos) return "";
    return fmt::format(
        "@font-face {{ font-family: \"Heed Math\"; src: url({}) format(\"woff2\"); }}\n",
        data_address(page_file("math.woff2"), "font/woff2"));
}

}  // namespace heed::course
