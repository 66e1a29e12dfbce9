#include "lessons/course/live/controls.h"

#include <algorithm>
#include <cmath>

#include "autograd/base/error.h"

namespace heed::course {

using Kind = Control::Kind;

Control slider(std::string name, std::string label, Range range) {
    check(range.low < range.high && range.step > 0 && range.value >= range.low &&
              range.value <= range.high,
          "slider '{}': {} is not between {} and {}", name, range.value, range.low, range.high);
    return {
        .kind = Kind::slider, .name = std::move(name), .label = std::move(label), .range = range};
}

Control choice(std::string name, std::string label, std::vector<std::string> choices, int first) {
    check(first >= 0 && first < static_cast<int>(choices.size()),
          "choice '{}': there is no choice {}", name, first);
    return {.kind = Kind::choice,
            .name = std::move(name),
            .label = std::move(label),
            .range = {.value = static_cast<double>(first)},
            .choices = std::move(choices)};
}

Control text_box(std::string name, std::string label, std::string text, bool long_text) {
    return {.kind = Kind::text,
            .name = std::move(name),
            .label = std::move(label),
            .text = std::move(text),
            .long_text = long_text};
}

Control switches(std::string name, std::string label, std::vector<bool> on) {
    return {.kind = Kind::switches,
            .name = std::move(name),
            .label = std::move(label),
            .on = std::move(on)};
}

Control place(std::string name, std::string label, double x, double y) {
    return {
        .kind = Kind::place, .name = std::move(name), .label = std::move(label), .x = x, .y = y};
}

const Control& Inputs::get(const std::string& name, Kind kind) const {
    const auto found = std::find_if(controls_.begin(), controls_.end(),
                                    [&](const Control& one) { return one.name == name; });
    check(found != controls_.end(), "a live figure has no control '{}'", name);
    check(found->kind == kind, "the control '{}' is of another kind", name);
    return *found;
}

Control& Inputs::get(const std::string& name, Kind kind) {
    return const_cast<Control&>(std::as_const(*this).get(name, kind));
}

Kind Inputs::kind(const std::string& name) const {
    for (const Control& one : controls_)
        if (one.name == name) return one.kind;
    throw Error("a live figure has no control '" + name + "'");
}

double Inputs::number(const std::string& name) const { return get(name, Kind::slider).range.value; }

int Inputs::whole(const std::string& name) const {
    return static_cast<int>(std::lround(number(name)));
}

// The index of the choice is kept where a slider keeps its value.
int Inputs::chosen(const std::string& name) const {
    return static_cast<int>(get(name, Kind::choice).range.value);
}

const std::string& Inputs::text(const std::string& name) const {
    return get(name, Kind::text).text;
}

const std::vector<bool>& Inputs::on(const std::string& name) const {
    return get(name, Kind::switches).on;
}

std::pair<double, double> Inputs::place(const std::string& name) const {
    const Control& control = get(name, Kind::place);
    return {control.x, control.y};
}

void Inputs::set_number(const std::string& name, double value) {
    Range& range = get(name, Kind::slider).range;
    check(value >= range.low - 1e-9 && value <= range.high + 1e-9,
          "{}: expected a number from {} to {}, found {}", name, range.low, range.high, value);
    range.value = value;
}

void Inputs::set_chosen(const std::string& name, int index) {
    Control& control = get(name, Kind::choice);
    check(index >= 0 && index < static_cast<int>(control.choices.size()),
          "{}: there is no choice {}", name, index);
    control.range.value = index;
}

void Inputs::set_text(const std::string& name, std::string text) {
    get(name, Kind::text).text = std::move(text);
}

void Inputs::set_on(const std::string& name, std::vector<bool> on) {
    Control& control = get(name, Kind::switches);
    check(on.size() == control.on.size(), "{}: expected {} switches, found {}", name,
          control.on.size(), on.size());
    control.on = std::move(on);
}

void Inputs::set_place(const std::string& name, double x, double y) {
    check(std::isfinite(x) && std::isfinite(y), "{}: a place needs two finite numbers", name);
    Control& control = get(name, Kind::place);
    control.x = x, control.y = y;
}

}  // namespace heed::course
