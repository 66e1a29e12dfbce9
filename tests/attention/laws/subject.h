// An attention together with what the laws need to know about it, and the list of all laws.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "attention/laws/laws.h"

namespace heed::laws {

struct Subject {
    std::string name;
    AttentionFunction f;
    Sizes sizes = {};
    int64_t heads = 1;
    // The keys before and after a query that its window contains.
    std::pair<int64_t, int64_t> reach = {1, 1};
    // The attention at a sharpness; not given: the query is multiplied by it.
    std::function<AttentionFunction(double)> at = {};
    // The attention at any width, for the law `scaled`; not given: f itself.
    AttentionFunction any_width = {};
    std::vector<std::pair<std::string, Tensor>> parameters = {};
};

// A law of laws.h: the name of its function, and the function applied to a subject.
struct Law {
    std::string name;
    std::function<Verdict(const Subject&)> judge;
};

inline const std::vector<Law>& all_laws() {
    using S = const Subject&;
    static const std::vector<Law> laws{
        {"distribution", [](S s) { return distribution(s.f, s.sizes); }},
        {"permutation", [](S s) { return permutation(s.f, s.sizes); }},
        {"every_key_counts", [](S s) { return every_key_counts(s.f, s.sizes); }},
        {"equal_keys", [](S s) { return equal_keys(s.f, s.sizes); }},
        {"every_query_counts", [](S s) { return every_query_counts(s.f, s.sizes); }},
        {"queries_apart", [](S s) { return queries_apart(s.f, s.sizes); }},
        {"query_order", [](S s) { return query_order(s.f, s.sizes); }},
        {"weighted_mean", [](S s) { return weighted_mean(s.f, s.sizes); }},
        {"every_value_counts", [](S s) { return every_value_counts(s.f, s.sizes); }},
        {"heads_apart", [](S s) { return heads_apart(s.f, s.heads, s.sizes); }},
        {"scaled_dot", [](S s) { return scaled_dot(s.f, s.heads, s.sizes); }},
        {"scaled", [](S s) { return scaled(s.any_width ? s.any_width : s.f, s.sizes); }},
        {"masked_keys", [](S s) { return masked_keys(s.f, s.sizes); }},
        {"each_query_mask", [](S s) { return each_query_mask(s.f, s.sizes); }},
        {"not_read", [](S s) { return not_read(s.f, s.parameters, s.sizes); }},
        {"padding_is_absent", [](S s) { return padding_is_absent(s.f, s.sizes); }},
        {"empty_rows", [](S s) { return empty_rows(s.f, s.sizes); }},
        {"causal", [](S s) { return causal(s.f, s.sizes); }},
        {"window", [](S s) { return window(s.f, s.reach.first, s.reach.second, s.sizes); }},
        {"batch_rows", [](S s) { return batch_rows(s.f, s.sizes); }},
        {"repeatable", [](S s) { return repeatable(s.f, s.sizes); }},
        {"sharp_limit",
         [](S s) { return s.at ? sharp_limit(s.at, s.sizes) : sharp_limit(s.f, s.sizes); }},
        {"every_parameter", [](S s) { return every_parameter(s.f, s.parameters, s.sizes); }},
        {"gradient", [](S s) { return gradient(s.f, s.sizes); }},
    };
    return laws;
}

}  // namespace heed::laws
