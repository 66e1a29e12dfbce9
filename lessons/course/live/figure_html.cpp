#include "lessons/course/live/figure_html.h"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "autograd/base/error.h"
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

std::string contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    check(file.good(), "cannot read {}", path);
    std::stringstream bytes;
    bytes << file.rdbuf();
    return bytes.str();
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
        out += fmt::format("<div class=\"panel\">{}</div>\n", svg);
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
                           base64(contents(model)));
    return out + fmt::format("</div>\n<figcaption><b>Try</b> {}</figcaption>\n</figure>\n", about);
}

std::string_view live_style() {
    return R"(.live .stage { min-width: 0; }
.live form { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr));
    gap: 0.5rem 1.6rem; margin-top: 0.9rem; font-size: 0.87rem; }
.live label { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 0.5rem; }
.live label output { margin-left: auto; font-variant-numeric: tabular-nums; }
.live input[type=range] { width: 100%; margin: 0.2rem 0; accent-color: var(--rubric); }
.live select, .live button, .live input[type=text], .live textarea { font: inherit;
    color: inherit; background: var(--wash); border: 1px solid var(--rule); border-radius: 3px;
    padding: 0.2rem 0.45rem; }
.live .long { grid-column: 1 / -1; }
.live .long input, .live textarea { width: 100%; font-family: "Source Code Pro", Menlo, Consolas,
    "Liberation Mono", "Noto Sans Mono CJK KR", "Heed Hangul", monospace; }
.live form p { grid-column: 1 / -1; margin: 0; }
.live button { cursor: pointer; padding: 0.25rem 0.9rem; }
.live button:disabled { cursor: default; opacity: 0.55; }
.live :focus-visible { outline: 2px solid var(--rubric); outline-offset: 2px; }
.live dl { display: flex; flex-wrap: wrap; gap: 0.2rem 1.6rem; margin: 0.7rem 0 0;
    font-size: 0.87rem; }
.live dt { display: inline; color: var(--soft); }
.live dd { display: inline; margin: 0 0 0 0.35rem; font-variant-numeric: tabular-nums; }
.live .said { margin: 0.8rem 0 0; }
.live .trouble { margin: 0.6rem 0 0; font-size: 0.87rem; color: var(--bad); min-height: 1.4em; }
.live .handle { fill: currentColor; fill-opacity: 0.35; stroke: currentColor; stroke-width: 2; }
.live.ready .handle { cursor: grab; touch-action: none; }
.live.ready [data-switch] { cursor: pointer; }
.live.ready [data-paint] { touch-action: none; }
@media print { .live form, .live .trouble { display: none; } }
)";
}

bool has_live_figure(std::string_view html) {
    return html.find("<figure class=\"live\"") != std::string_view::npos;
}

}  // namespace heed::course
