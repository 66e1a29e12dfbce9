#include "lessons/31_circuits/experiment.h"

#include <cmath>
#include <utility>

namespace heed::lesson31 {

double table_loss(int context, const Strings& counted, const Strings& test) {
    const auto cell = [&](const Strings& strings, int64_t b, int64_t t) {  // of the letters so far
        std::size_t index = 0;
        for (int64_t i = t - context + 1; i <= t; ++i)
            index = index * letters + static_cast<std::size_t>(strings.in.at({b, i}));
        return index * letters;
    };
    const auto cells = static_cast<std::size_t>(std::pow(letters, context + 1));
    std::vector<double> counts(cells, 1.0);
    for (int64_t b = 0; b < counted.in.shape()[0]; ++b)
        for (int64_t t = context; t < length; ++t)  // token 0 is the start
            if (t >= 1)
                ++counts[cell(counted, b, t) + static_cast<std::size_t>(counted.next.at({b, t}))];

    double loss = 0, copied = 0;
    for (int64_t b = 0; b < test.in.shape()[0]; ++b)
        for (int64_t t = 1; t < length; ++t) {
            if (test.copied.at({b, t}) < 0) continue;
            const std::size_t row = cell(test, b, t);
            double total = 0;
            for (std::size_t c = 0; c < letters; ++c) total += counts[row + c];
            loss -= std::log(counts[row + static_cast<std::size_t>(test.next.at({b, t}))] / total);
            ++copied;
        }
    return loss / copied;
}

void Curve::add(int64_t step, Seen now) {
    steps.push_back(static_cast<double>(step));
    seen.push_back(std::move(now));
}

std::vector<double> Curve::line(const std::function<double(const Seen&)>& what) const {
    std::vector<double> values;
    for (const Seen& one : seen) values.push_back(what(one));
    return values;
}

double Curve::crosses(const std::function<double(const Seen&)>& what, double level) const {
    const std::vector<double> y = line(what);
    for (std::size_t i = 1; i < y.size(); ++i)
        if ((y[i - 1] < level) != (y[i] < level))
            return steps[i - 1] +
                   (steps[i] - steps[i - 1]) * (level - y[i - 1]) / (y[i] - y[i - 1]);
    return steps.back();
}

Roles roles_of(const Seen& trained) {
    check(trained.without.size() == 4, "the roles are those of four heads, not of {}",
          trained.without.size());
    const int note = trained.without[1] > trained.without[0] ? 1 : 0,
              induction = trained.without[3] > trained.without[2] ? 3 : 2;
    return {note, 1 - note, induction, 5 - induction};
}

double share_on_diagonal(const Tensor& matrix, int below) {
    const Indices largest = argmax(matrix, 1);
    double found = 0;
    for (int64_t i = below; i < matrix.size(0); ++i) found += largest[i] == i - below;
    return found / static_cast<double>(matrix.size(0) - below);
}

}  // namespace heed::lesson31
