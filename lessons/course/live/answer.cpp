#include "lessons/course/live/answer.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

#include "autograd/base/error.h"

namespace heed::course {
namespace {

using Json = nlohmann::json;

Inputs inputs_of(const LiveFigure& figure, const Json& given) {
    Inputs inputs(figure.controls);
    for (const auto& [name, value] : given.items()) {
        switch (inputs.kind(name)) {
            case Control::Kind::slider:
                inputs.set_number(name, value.get<double>());
                break;
            case Control::Kind::choice:
                inputs.set_chosen(name, value.get<int>());
                break;
            case Control::Kind::text:
                inputs.set_text(name, value.get<std::string>());
                break;
            case Control::Kind::switches:
                inputs.set_on(name, value.get<std::vector<bool>>());
                break;
            case Control::Kind::place:
                inputs.set_place(name, value.at(0).get<double>(), value.at(1).get<double>());
                break;
        }
    }
    return inputs;
}

Json json_of(const Drawn& drawn) {
    Json numbers = Json::array();
    for (const LiveNumber& number : drawn.numbers)
        numbers.push_back(
            {{"name", number.name}, {"value", number.value}, {"shown", shown(number)}});
    return {{"svgs", drawn.svgs}, {"numbers", numbers}, {"text", drawn.text}};
}

// Steps of training, until so many are done or the time is over.
bool learn(LiveModel& model, const Json& request) {
    using Clock = std::chrono::steady_clock;
    if (request.contains("steps")) {
        for (int i = request["steps"].get<int>(); i > 0; --i)
            if (!model.step()) return false;
        return true;
    }
    const auto end =
        Clock::now() + std::chrono::milliseconds(request.at("milliseconds").get<int>());
    do {
        if (!model.step()) return false;
    } while (Clock::now() < end);
    return true;
}

}  // namespace

std::string shown(const LiveNumber& number) {
    if (std::isnan(number.value)) return "not a number";
    return fmt::format("{:.{}g}", number.value, number.digits);
}

std::string Answers::to(const std::string& text) {
    try {
        const Json request = Json::parse(text);
        const std::string what = request.at("do").get<std::string>();
        const std::string name = request.at("figure").get<std::string>();
        const LiveFigure& figure = live_figure(name);
        const Inputs inputs = inputs_of(figure, request.value("inputs", Json::object()));
        if (!figure.model) return json_of(figure.draw(inputs)).dump();

        std::unique_ptr<LiveModel>& model = models_[figure.name];
        if (!model || what == "start") {
            model = figure.model(inputs);
            if (request.contains("model")) model->load(request["model"].get<std::string>());
        }
        const bool more = what == "learn" && learn(*model, request);
        Json answer = json_of(model->draw(inputs));
        answer["more"] = more;
        return answer.dump();
    } catch (const std::exception& problem) {
        return Json{{"error", problem.what()}}.dump();
    }
}

}  // namespace heed::course
