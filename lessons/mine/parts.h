// What the two models of `./heed learn N --mine` share, the translator (translator.cpp) and the GPT (gpt.cpp).
// Each of their parts is the answer to an exercise. Before these files the program holds one
// namespace for each exercise, part_matrix_product and so on, with the reader's file in it, or with our
// solution where there is none yet (lessons/course/exercise/own_program.h); and `parts` says who wrote which.
//
// Numbers are float64, so that differences to the library's model are rounding.
#pragma once

#include <chrono>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "attention/attention.h"
#include "lessons/course/course.h"
#include "lessons/mine/program.h"
#include "nn/saved/safetensors.h"

namespace heed::mine {

using Rule = part_matrix_product::Rule;
using Tape = part_matrix_product::Tape;
using Taped = part_matrix_product::Taped;
using Weights = std::map<std::string, Tensor>;  // by the library's names

// The time that a part took, and that the library takes for the same.
struct Spent {
    double mine = 0, library = 0;  // seconds
};

// Calls the reader's part. In a step that is measured, it also calls the library's function for the
// same, to compare their times.
class Clock {
  public:
    bool measuring = false;
    std::map<std::string, Spent> spent;  // by the name of the exercise

    template <class Mine, class Library>
    Tensor operator()(const std::string& exercise, Mine mine, Library library) {
        if (!measuring) return mine();
        Spent& of_part = spent[exercise];
        library();  // warms the cache, so that the order of the two does not matter
        const double start = now();
        const Tensor y = mine();
        const double middle = now();
        library();
        of_part.mine += middle - start;
        of_part.library += now() - middle;
        return y;
    }

    // A part for which the library has no function of its own.
    template <class Mine>
    Tensor operator()(const std::string& exercise, Mine mine) {
        const double start = now();
        const Tensor y = mine();
        if (measuring) spent[exercise].mine += now() - start;
        return y;
    }

    static double now() {
        return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
            .count();
    }
};

// A model that is written down on a tape: what both have in common.
class OnTape {
  public:
    OnTape(const Weights& weights, Clock& clock) : weights_(weights), clock_(clock) {}

  protected:
    // A line with a rule for each input.
    Taped line(const std::vector<Taped>& inputs, const Tensor& y, const std::vector<Rule>& rules) {
        std::vector<int> lines;
        for (const Taped& x : inputs) lines.push_back(x.line);
        return {&tape_, y, tape_.write(y, lines, rules)};
    }
    Taped line(const Taped& x, const Tensor& y, const Rule& rule) {
        return line(std::vector{x}, y, {rule});
    }

    Taped weight(const std::string& name) {
        const Tensor& value = weights_.at(name);
        const int at = tape_.write(value);
        lines_[name].push_back(at);
        return {&tape_, value, at};
    }

    Taped product(const Taped& a, const Taped& b) {
        Taped y = a;
        clock_(
            "matrix_product", [&] { return y = part_matrix_product::my_matmul(a, b), y.value; },
            [&] { return matmul(a.value, b.value); });
        return y;
    }

    // The library stores the matrix of a dense layer as [out, in].
    Taped linear(const Taped& x, const std::string& name) {
        const Taped w = weight(name);
        return product(x,
                       line(w, transpose(w.value), [](const Tensor& g) { return transpose(g); }));
    }

    Taped lookup(const std::string& name, const Indices& ids) {
        const Taped table = weight(name);
        const int64_t rows = table.value.size(0);
        const Tensor y = clock_(
            "one_hot_lookup", [&] { return part_one_hot_lookup::my_lookup(table.value, ids); },
            [&] { return index_select(table.value, 0, ids); });
        return line(table, y, [this, ids, rows](const Tensor& g) {
            return clock_("one_hot_lookup",
                          [&] { return part_one_hot_lookup::my_table_gradient(ids, g, rows); });
        });
    }

    Taped softmax_of(const Taped& scores) {
        const Tensor y = clock_(
            "softmax_without_overflow",
            [&] { return part_softmax_without_overflow::my_softmax(scores.value); },
            [&] { return softmax(scores.value); });
        return line(scores, y, [this, y](const Tensor& g) {
            return clock_(
                "softmax_backward",
                [&] { return part_softmax_backward::my_softmax_backward(y, g); },
                [&] { return vjp([](const Tensor& z) { return softmax(z); }, log(y), g); });
        });
    }

    // The mean cross-entropy of `next` [N] by these logits [N, V]; afterwards `gradients` has the
    // gradient of each weight.
    double cross_entropy_of(const Taped& logits, const Indices& next, Weights& gradients) {
        const Tensor value = clock_(
            "cross_entropy",
            [&] { return part_cross_entropy::my_cross_entropy(logits.value, next); },
            [&] { return cross_entropy(logits.value, next); });
        const Taped end = line(logits, value, [this, z = logits.value, next](const Tensor& g) {
            const Tensor dz = clock_(
                "said_minus_happened",
                [&] { return part_said_minus_happened::my_gradient(z, next, 0); },
                [&] {
                    return vjp([&](const Tensor& x) { return cross_entropy(x, next); }, z,
                               ones_like(g));
                });
            return g * dz;
        });
        const std::vector<Tensor> all = tape_.backward(end.line, ones_like(value));
        for (const auto& [name, used] : lines_)
            for (const int at : used) {
                Tensor& sum = gradients[name];
                sum = sum.defined() ? sum + all[at] : all[at];
            }
        return value.item();
    }

    const Weights& weights_;
    Clock& clock_;
    Tape tape_;
    std::map<std::string, std::vector<int>> lines_;  // of each weight; some are used twice
};

// One step of Adam with the reader's function.
using AdamStates = std::map<std::string, part_adam_step::AdamState>;
inline void adam_step(Weights& weights, const Weights& gradients, AdamStates& states, double rate,
                      Clock& clock) {
    for (auto& [name, value] : weights) {
        auto& state = states[name];
        if (!state.m.defined()) state.m = zeros_like(value), state.s = zeros_like(value);
        value = clock("adam_step", [&, &value = value, &name = name] {
            return part_adam_step::my_adam(value, gradients.at(name), state, rate);
        });
    }
}

inline Weights weights_of(const ParameterList& parameters) {
    Weights all;
    for (const Parameter& p : parameters) all[p.name] = detach(p.tensor);
    return all;
}

// The file that keeps what was learned, my/NAME.safetensors; empty without a folder.
inline std::string kept_in(const Options& options, const std::string& name) {
    const std::string& folder = options.at("--my");
    return folder.empty() ? "" : folder + "/" + name + ".safetensors";
}
inline void keep(const std::string& path, const Weights& weights, const Options& about) {
    if (path.empty()) return;
    Safetensors file;
    for (const auto& [name, value] : weights) file.tensors.push_back({name, value});
    file.metadata = about;
    save_safetensors(path, file);
}

// A table of the parts: who wrote each, and the milliseconds of a step.
inline void show_parts(const Clock& clock, int measured) {
    const course::Screen screen = course::screen_of_stdout();
    course::Table whose({"part", "exercise", "written by", "ms a step", "the library's"});
    for (const Part& part : parts) {
        const auto found = clock.spent.find(part.name);
        const bool known = found != clock.spent.end();
        whose.row(part.what, part.exercise, part.reader ? "you" : "heed",
                  known ? fmt::format("{:.2f}", 1e3 * found->second.mine / measured) : "",
                  known && found->second.library > 0
                      ? fmt::format("{:.2f}", 1e3 * found->second.library / measured)
                      : "");
    }
    fmt::print(
        "{}Times of one training step, for your function and for the library's on the same\n"
        "inputs. Of the matrix product only the forward pass is measured.\n\n",
        whose.to_text(screen));
}

// The losses of the reader's model and the library's, as a table. In the first steps they agree up to rounding.
// Later they may differ, because training amplifies rounding errors.
class Losses {
  public:
    static constexpr int compared = 200;  // steps

    explicit Losses(int steps) : steps_(steps), every_(std::max(1, steps / 8)) {}

    // Returns false and says so if they differ in the first steps: then a part is wrong.
    bool add(int n, double mine, double library) {
        const double difference = std::abs(mine - library);
        if (n <= compared) largest_ = std::max(largest_, difference);
        if (n == 1 || n % every_ == 0)
            table_.row(n, fmt::format("{:.6f}", mine), fmt::format("{:.6f}", library),
                       course::number(difference, 2));
        if (screen_.live && n % std::max(1, every_ / 10) == 0)
            fmt::print(stderr, "\rstep {} of {}", n, steps_);
        if (n > compared || difference < 1e-6) return true;
        show();
        fmt::print("The losses differ in step {}: yours {:.6f}, the library's {:.6f}.\n", n, mine,
                   library);
        std::string yours;
        for (const Part& part : parts)
            if (part.reader) yours += fmt::format("{}{}", yours.empty() ? "" : ", ", part.exercise);
        fmt::print(
            "One of your parts gives other numbers; judge them again: {}\n"
            "NEXT  ./heed exercise {}\n",
            yours, yours.substr(0, yours.find(',')));
        return false;
    }
    void show() const {
        if (screen_.live) fmt::print(stderr, "\r\033[K");
        fmt::print("{}\n", table_.to_text(screen_.now()));
    }
    bool agree() const { return largest_ < 1e-6; }
    std::string verdict() const {
        return fmt::format("{} largest difference of the two losses in the first {} steps: {}\n",
                           agree() ? "✓" : "✗", std::min(steps_, compared),
                           course::number(largest_, 2));
    }

  private:
    int steps_, every_;
    double largest_ = 0;  // difference
    course::Screen screen_ = course::screen_of_stdout();
    course::Table table_{{"step", "your loss", "the library's", "difference"}};
};

}  // namespace heed::mine
