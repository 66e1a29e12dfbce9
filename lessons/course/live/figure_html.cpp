#include "lessons/course/live/figure_html.h"

#include <fmt/format.h>

#include <regex>

#include "autograd/base/error.h"
#include "autograd/base/input_file.h"
#include "lessons/course/figures/png.h"
#include "lessons/course/live/answer.h"
#include "lessons/course/terminal/markup.h"

namespace heed::course {
namespace {

std::string control_html(const Control& control) {
    const std::string name = escape(control.name), label = escape(control.label);
    switch (control.kind) {
        case Control::Kind::slider:
            return fmt::format(
                "<label>{} <output>{:.4g}</output><input type=\"range\" name=\"{}\" min=\"{}\" "
                "max=\"{}\" step=\"{}\" value=\"{}\" disabled=\"\"></label>\n",
                label, control.range.value, name, control.range.low, control.range.high,
                control.range.step, control.range.value);
        case Control::Kind::choice: {
            std::string options;
            for (std::size_t i = 0; i < control.choices.size(); ++i)
                options += fmt::format("<option value=\"{}\"{}>{}</option>", i,
                                       static_cast<int>(control.range.value) == static_cast<int>(i)
                                           ? " selected=\"\""
                                           : "",
                                       escape(control.choices[i]));
            return fmt::format(
                "<label>{} <select name=\"{}\" autocomplete=\"off\" "
                "disabled=\"\">{}</select></label>\n",
                label, name, options);
        }
        case Control::Kind::text:
            if (control.long_text)
                return fmt::format(
                    "<label class=\"long\">{} <textarea name=\"{}\" rows=\"6\" "
                    "spellcheck=\"false\" "
                    "autocomplete=\"off\" disabled=\"\">{}</textarea></label>\n",
                    label, name, escape(control.text));
            return fmt::format(
                "<label class=\"long\">{} <input type=\"text\" name=\"{}\" value=\"{}\" "
                "spellcheck=\"false\" autocomplete=\"off\" disabled=\"\"></label>\n",
                label, name, escape(control.text));
        case Control::Kind::switches: {
            std::string bits;
            for (const bool on : control.on) bits += on ? '1' : '0';
            return fmt::format("<input type=\"hidden\" name=\"{}\" data-switches=\"{}\">\n", name,
                               bits);
        }
        case Control::Kind::place:
            return fmt::format("<input type=\"hidden\" name=\"{}\" data-x=\"{}\" data-y=\"{}\">\n",
                               name, control.x, control.y);
    }
    return "";
}

// What can be moved or switched is a part of a picture, which no key reaches, until heed draws it in the browser.
std::string as_picture(const std::string& svg) {
    static const std::regex moved(
        R"re( (tabindex|aria-valuenow|aria-valuetext|aria-checked)="[^"]*"| role="(slider|switch)")re");
    return std::regex_replace(std::regex_replace(svg, moved, ""), std::regex("role=\"group\""),
                              "role=\"img\"");
}

Drawn first_drawing(const LiveFigure& figure, const std::string& model) {
    const Inputs inputs(figure.controls);
    if (model.empty()) return drawn(figure, inputs);
    const std::unique_ptr<LiveModel> loaded = figure.model(inputs);
    loaded->load(model);
    return loaded->draw(inputs);
}

}  // namespace

std::string figure_html(const LiveFigure& figure, const std::string& about,
                        const std::string& model) {
    const bool empty = figure.loads && model.empty();
    const Drawn first = empty ? Drawn{} : first_drawing(figure, model);
    std::string out = fmt::format(
        "<figure class=\"live\" data-figure=\"{}\">\n<div class=\"stage\">\n", escape(figure.name));
    out += "<div class=\"panels\">\n";
    for (const std::string& svg : first.svgs)
        out += fmt::format("<div class=\"panel\">{}</div>\n", as_picture(svg));
    out += fmt::format("</div>\n<pre class=\"said\"{}>{}</pre>\n<dl>",
                       first.text.empty() ? " hidden=\"\"" : "", escape(first.text));
    for (const LiveNumber& number : first.numbers)
        out += fmt::format("<div><dt>{}</dt> <dd data-value=\"{}\">{}</dd></div>",
                           escape(number.name), number.value, shown(number));
    out += "</dl>\n<form class=\"controls\">\n";
    for (const Control& control : figure.controls) out += control_html(control);
    if (figure.learns)
        out +=
            "<p><button type=\"button\" name=\"train\" disabled=\"\">Train</button> <button "
            "type=\"button\" name=\"again\" disabled=\"\">Start again</button></p>\n";
    out += "</form>\n<p class=\"trouble\" role=\"status\"></p>\n";
    if (!model.empty())
        out += fmt::format("<script type=\"application/octet-stream\">{}</script>\n",
                           base64(read_regular_file(model)));
    return out + fmt::format("</div>\n<figcaption><b>Try</b> {}</figcaption>\n</figure>\n", about);
}

bool has_live_figure(std::string_view html) {
    return html.find("<figure class=\"live\"") != std::string_view::npos;
}

}  // namespace heed::course
