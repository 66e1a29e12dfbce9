#include "lessons/21_why_attention/experiment.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <map>
#include <set>
#include <string_view>

namespace heed::lesson21 {

using namespace course;

// --- costs --------------------------------------------------------------------------------------

namespace {

constexpr int64_t unreachable = std::numeric_limits<int64_t>::max() / 2;

bool moves_numbers_only(const Node& node) {
    static const std::set<std::string_view> names{"leaf",   "transpose", "permute", "reshape",
                                                  "stack",  "select",    "squeeze", "unsqueeze",
                                                  "concat", "expand",    "slice"};
    return names.contains(node.operation);
}

// C = A B with A [.., m, k]: k multiply-adds for each number of C. A "linear" has A and Bᵀ as its
// first two inputs. A factor that takes no part in the graph, such as a first state of zeros, is
// made up for by the other one.
int64_t multiply_adds(const Node& node) {
    const std::string_view name = node.operation;
    if (name != "matmul" && name != "linear") return 0;
    const Node *a = node.inputs[0].node, *b = node.inputs[1].node;
    if (a) return node.shape.numel() * a->shape.back();
    return node.shape.numel() * b->shape[b->shape.dim() - (name == "linear" ? 1 : 2)];
}

}  // namespace

Counts count(const Tensor& y, const Tensor& from) {
    // All nodes, in the order they were made: inputs come before results.
    std::map<uint64_t, const Node*> nodes;
    std::vector<const Node*> open{y.body()->node};
    while (!open.empty()) {
        const Node* node = open.back();
        open.pop_back();
        if (!nodes.emplace(node->order, node).second) continue;
        for (uint32_t i = 0; i < node->input_count; ++i)
            if (node->inputs[i].node) open.push_back(node->inputs[i].node);
    }

    Counts counts;
    struct Ways {
        int64_t longest = 0, shortest = unreachable;
    };
    std::map<uint64_t, Ways> ways;  // of operations that end with this node
    for (const auto& [order, node] : nodes) {
        Ways& own = ways[order];
        if (node == from.body()->node) own.shortest = 0;
        for (uint32_t i = 0; i < node->input_count; ++i) {
            if (!node->inputs[i].node) continue;
            const Ways& before = ways[node->inputs[i].node->order];
            own.longest = std::max(own.longest, before.longest);
            own.shortest = std::min(own.shortest, before.shortest);
        }
        if (moves_numbers_only(*node)) continue;
        ++own.longest;
        ++own.shortest;
        counts.multiply_adds += multiply_adds(*node);
        counts.bytes += node->shape.numel() * 4;
    }
    counts.waiting = ways.rbegin()->second.longest;
    counts.path = ways.rbegin()->second.shortest;
    check(counts.path < unreachable, "count: the tensor is no input of this result");
    return counts;
}

double seconds_of(const std::function<Tensor()>& forward) {
    std::vector<double> times;
    for (int i = 0; i < 7; ++i) {
        const auto start = std::chrono::steady_clock::now();
        backward(sum(square(forward())));
        times.push_back(
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

// --- translation by length ----------------------------------------------------------------------

std::vector<double> words_right(const Translator& model, const TextSet& set) {
    const std::vector<std::vector<int>> predicted = predicted_tokens(model, set);
    std::array<double, bands.size()> right{}, all{};
    for (int i = 0; i < set.size(); ++i) {
        const int length = static_cast<int>(set.source[i].size());
        const auto band = std::find_if(bands.begin(), bands.end(), [&](const LengthBand& b) {
            return b.from <= length && length <= b.to;
        });
        if (band == bands.end()) continue;
        for (std::size_t t = 0; t < predicted[i].size(); ++t) {
            all[band - bands.begin()] += 1;
            right[band - bands.begin()] += predicted[i][t] == set.target[i][t];
        }
    }
    std::vector<double> shares;
    for (std::size_t band = 0; band < bands.size(); ++band)
        shares.push_back(right[band] / all[band]);  // 0 / 0 is NaN
    return shares;
}

std::vector<Trained> train_by_length(Lesson& lesson, const ParallelText& text, int steps,
                                     int seeds) {
    std::vector<Trained> all;
    for (const LadderModel kind : compared) {
        Trained one{.name = name_of(kind)};
        for (int run = 0; run < seeds; ++run) {
            const std::uint64_t seed = 1000 * lesson.seed() + run;
            const Translator model = build_translator(kind, text, {}, seed);
            one.parameters = parameters_of(model);
            course::ProgressLine line =
                lesson.progress(fmt::format("{}, {}", one.name, run + 1), steps);
            const TrainReport report = train_translator(
                model, text,
                {.steps = steps, .batch_size = 16, .lr = rate_of(kind, false), .seed = seed},
                [&](const heed::TrainProgress& p) { line.update(p.step, p.mean_loss); });
            line.clear();
            one.seconds.push_back(report.last.seconds);
            one.right.push_back(words_right(model, text.test));
        }
        all.push_back(std::move(one));
    }
    return all;
}

}  // namespace heed::lesson21
