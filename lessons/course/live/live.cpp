#include "lessons/course/live/live.h"

#include <algorithm>

#include "autograd/base/error.h"

namespace heed::course {
namespace {

std::vector<LiveFigure>& registered() {
    static std::vector<LiveFigure> all;
    return all;
}

}  // namespace

void LiveModel::load(const std::string&) { throw Error("this live figure has no parameters"); }

Registered::Registered(LiveFigure figure) {
    std::vector<LiveFigure>& all = registered();
    const auto place =
        std::lower_bound(all.begin(), all.end(), figure,
                         [](const LiveFigure& a, const LiveFigure& b) { return a.name < b.name; });
    all.insert(place, std::move(figure));
}

const std::vector<LiveFigure>& live_figures() { return registered(); }

const LiveFigure& live_figure(const std::string& name) {
    for (const LiveFigure& figure : registered())
        if (figure.name == name) return figure;
    throw Error("there is no live figure '" + name + "'");
}

Drawn drawn(const LiveFigure& figure, const Inputs& inputs) {
    return figure.draw ? figure.draw(inputs) : figure.model(inputs)->draw(inputs);
}

}  // namespace heed::course
