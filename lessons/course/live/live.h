// Figures that the reader can change. A lesson's live.cpp registers its own; the text of the lesson
// names the place:
//
//     //! ![Raise one score and watch the others.](live:softmax)          lesson.cpp
//
//     Drawn draw(const Inputs& inputs) {                                  live.cpp
//         const Tensor weights = softmax(tensor({1, 2, 3}) / inputs.number("temperature"));
//         ...
//         return {.svgs = {to_svg(chart)}, .numbers = {{"largest weight", max(weights).item()}}};
//     }
//     const Registered figure({.name = "softmax",
//                              .controls = {slider("temperature", "Temperature", {...})},
//                              .draw = draw});
//
// On a page the figure stands as it is with the first settings (figure_html.h). The same source is
// compiled for the browser (lessons/web): when a control is changed there, draw() runs again, in the
// page, with heed's own tensors. A figure with a model has `model` and not `draw`; such a model may
// learn in the page, step by step, while the reader watches.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "lessons/course/live/controls.h"

namespace heed::course {

struct LiveNumber {
    std::string name;
    double value = 0;
    int digits = 3;  // significant ones that are shown
};

struct Drawn {
    std::vector<std::string> svgs{};    // from to_svg
    std::vector<LiveNumber> numbers{};  // below the figure
    std::string text{};                 // a text that a model has written, or the like
};

class LiveModel {
  public:
    virtual ~LiveModel() = default;
    virtual Drawn draw(const Inputs& inputs) = 0;

    // One step of training, a few milliseconds. False when there is nothing more to learn.
    virtual bool step() { return false; }
    // Parameters that the lesson's own run has saved, as safetensors.
    virtual void load(const std::string& path);
};

struct LiveFigure {
    std::string name{};
    std::vector<Control> controls{};
    std::function<Drawn(const Inputs&)> draw{};
    std::function<std::unique_ptr<LiveModel>(const Inputs&)> model{};
    bool learns = false;  // the page has buttons to start and to stop the training
    bool loads = false;   // it needs parameters; the lesson calls lesson.live(name, model)
};

// All figures of this program, sorted by name.
const std::vector<LiveFigure>& live_figures();
// Throws heed::Error if there is none of this name.
const LiveFigure& live_figure(const std::string& name);

// What it shows; of a model, as it is before the training.
Drawn drawn(const LiveFigure& figure, const Inputs& inputs);

struct Registered {
    explicit Registered(LiveFigure figure);
};

}  // namespace heed::course
