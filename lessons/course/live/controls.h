// The controls below a figure that the reader can change, and what they are set to.
//
//     slider("temperature", "Temperature", {.low = 0.1, .high = 5, .step = 0.1, .value = 1})
//     choice("mask", "Mask", {"none", "causal"})
//     text_box("expression", "Expression", "x * y + sin(x)")
//     switches("edges", "Edges", {true, true, false})    elements of the figure that are clicked
//     place("query", "Query", 0.5, 1)                    a point of a plane.h that is dragged
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace heed::course {

struct Range {
    double low = 0, high = 1, step = 0.1, value = 0;
};

struct Control {
    enum class Kind { slider, choice, text, switches, place };
    Kind kind{};
    std::string name, label;             // the name in the program, and what the reader sees
    Range range{};                       // of a slider
    std::vector<std::string> choices{};  // of a choice
    std::string text{};                  // of a text box
    bool long_text = false;              // many lines
    std::vector<bool> on{};              // of switches
    double x = 0, y = 0;                 // of a place
};

Control slider(std::string name, std::string label, Range range);
Control choice(std::string name, std::string label, std::vector<std::string> choices,
               int first = 0);
Control text_box(std::string name, std::string label, std::string text, bool long_text = false);
Control switches(std::string name, std::string label, std::vector<bool> on);
Control place(std::string name, std::string label, double x, double y);

// What the controls are set to: at first, and after the reader has changed them. Asking for a control
// that the figure does not have, or that is of another kind, throws heed::Error.
class Inputs {
  public:
    explicit Inputs(std::vector<Control> controls) : controls_(std::move(controls)) {}

    double number(const std::string& name) const;  // of a slider
    int whole(const std::string& name) const;      // of a slider, rounded
    int chosen(const std::string& name) const;     // the index of a choice
    const std::string& text(const std::string& name) const;
    const std::vector<bool>& on(const std::string& name) const;  // switches
    std::pair<double, double> place(const std::string& name) const;

    // Each throws heed::Error for a value out of range: these come from outside.
    void set_number(const std::string& name, double value);
    void set_chosen(const std::string& name, int index);
    void set_text(const std::string& name, std::string text);
    void set_on(const std::string& name, std::vector<bool> on);
    void set_place(const std::string& name, double x, double y);

    const std::vector<Control>& controls() const { return controls_; }
    Control::Kind kind(const std::string& name) const;

  private:
    const Control& get(const std::string& name, Control::Kind kind) const;
    Control& get(const std::string& name, Control::Kind kind);

    std::vector<Control> controls_;
};

}  // namespace heed::course
