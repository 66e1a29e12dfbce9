#include "lessons/05_probabilities/pictures.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace heed::lesson05 {

using course::Diagram;

Diagram from_logits_to_loss(const std::vector<std::string>& words,
                            const std::vector<double>& logits, const std::vector<double>& p,
                            int y) {
    Diagram diagram{.title = "From logits to probabilities and to the loss"};
    const int count = static_cast<int>(words.size()), sum = 3 * count, loss = sum + 1;
    double all = 0;
    for (int j = 0; j < count; ++j) {
        const double e = std::exp(logits[j]);
        diagram.boxes.push_back(
            {words[j], {fmt::format("logit {}", logits[j])}, 0, double(j), true});
        diagram.boxes.push_back({"exp", {fmt::format("{:.3f}", e)}, 1, double(j)});
        diagram.boxes.push_back({"divide", {fmt::format("p = {:.3f}", p[j])}, 3, double(j)});
        all += e;
    }
    diagram.boxes.push_back({"sum", {fmt::format("{:.3f}", all)}, 2, (count - 1) / 2.});
    diagram.boxes.push_back(
        {"-ln p", {fmt::format("{:.3f}", -std::log(p[y])), "if it is " + words[y]}, 4, double(y)});
    for (int j = 0; j < count; ++j)
        for (auto [from, to] :
             {std::pair(3 * j, 3 * j + 1), std::pair(3 * j + 1, sum), std::pair(sum, 3 * j + 2)})
            diagram.arrows.push_back({from, to});
    diagram.arrows.push_back({3 * y + 2, loss});
    return diagram;
}

}  // namespace heed::lesson05
