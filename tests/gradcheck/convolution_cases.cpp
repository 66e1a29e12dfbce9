// Sliding windows, convolutions and pooling.
#include "tests/gradcheck/registry.h"

namespace heed {
namespace {

using Xs = std::vector<Tensor>;

std::vector<Case> convolutions() {
    std::vector<Case> cases;
    const Windows2d dilated{{2, 3}, {2, 1}, 1, {2, 1}};
    cases.push_back({"sliding_windows with stride, padding and dilation",
                     [=](const Xs& x) { return sliding_windows(x[0], dilated); },
                     {sample({2, 2, 4, 3})}});
    cases.push_back({"sliding_windows of a transposed view",
                     [](const Xs& x) { return sliding_windows(transpose(x[0]), {2}); },
                     {sample({1, 2, 3, 4})}});
    cases.push_back({"add_windows with stride, padding and dilation",
                     [=](const Xs& x) {
                         return add_windows(x[0], {4, 3}, dilated);
                     },
                     {sample({1, 2, 2, 3, 2, 3})}});

    const auto add = [&](const std::string& what, const Shape& x, const Shape& weight,
                         const Conv2dOptions& options) {
        cases.push_back({"conv2d " + what,
                         [=](const Xs& in) { return conv2d(in[0], in[1], in[2], options); },
                         {sample(x), sample(weight, -1, 1, 2), sample({weight[0]}, -1, 1, 3)}});
    };
    add("plain", {2, 2, 3, 4}, {3, 2, 2, 2}, {});
    add("1 x 1", {2, 2, 2, 3}, {3, 2, 1, 1}, {});
    add("stride and padding", {1, 2, 4, 5}, {2, 2, 3, 2}, {.stride = {2, 1}, .padding = {1, 0}});
    add("groups and dilation", {2, 4, 4, 3}, {2, 2, 2, 2}, {.dilation = {2, 1}, .groups = 2});
    add("one channel in each group", {1, 3, 3, 3}, {3, 1, 2, 2}, {.groups = 3});
    cases.push_back({"conv2d without bias, of a transposed view, used twice",
                     [](const Xs& in) {
                         return conv2d(transpose(in[0]), in[1]) * conv2d(transpose(in[0]), in[1]);
                     },
                     {sample({1, 2, 3, 4}), sample({2, 2, 2, 2}, -1, 1, 2)}});
    cases.push_back({"conv1d stride, padding, groups",
                     [](const Xs& in) {
                         return conv1d(in[0], in[1], in[2],
                                       {.stride = 2, .padding = 1, .groups = 2});
                     },
                     {sample({2, 4, 5}), sample({2, 2, 3}, -1, 1, 2), sample({2}, -1, 1, 3)}});
    return cases;
}

std::vector<Case> window_pooling() {
    const Pool2dOptions overlapping{.stride = {2, 1}, .padding = 1};
    return {
        {"max_pool2d", [](const Xs& x) { return max_pool2d(x[0], 2); }, {sample({2, 2, 4, 5})}},
        {"max_pool2d overlapping",
         [=](const Xs& x) {
             return max_pool2d(x[0], {3, 2}, overlapping);
         },
         {sample({1, 2, 4, 4})}},
        {"avg_pool2d", [](const Xs& x) { return avg_pool2d(x[0], 2); }, {sample({2, 2, 4, 5})}},
        {"avg_pool2d overlapping",
         [=](const Xs& x) {
             return avg_pool2d(x[0], {3, 2}, overlapping);
         },
         {sample({1, 2, 4, 4})}},
        {"adaptive_avg_pool2d to one pixel",
         [](const Xs& x) { return adaptive_avg_pool2d(x[0], 1); },
         {sample({2, 2, 3, 2})}},
        {"adaptive_avg_pool2d to 2 x 3",
         [](const Xs& x) {
             return adaptive_avg_pool2d(x[0], {2, 3});
         },
         {sample({1, 2, 4, 6})}},
        {"max_pool1d",
         [](const Xs& x) { return max_pool1d(x[0], 3, {.stride = 2, .padding = 1}); },
         {sample({2, 2, 7})}},
        {"avg_pool1d", [](const Xs& x) { return avg_pool1d(x[0], 2); }, {sample({2, 2, 5})}},
        {"adaptive_avg_pool1d",
         [](const Xs& x) { return adaptive_avg_pool1d(x[0], 2); },
         {sample({2, 2, 6})}},
    };
}

const bool added_convolution = add_cases(convolutions) && add_cases(window_pooling);

}  // namespace
}  // namespace heed
