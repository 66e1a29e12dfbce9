// A diverged model must not look healthy, and a healthy one must not diverge.
//
// Every fused kernel is held against its definition on NaN, infinities, the largest and the smallest
// numbers, in every input and in the gradient that arrives: forward and backward, float32 and float64.
// Where the definition has a NaN or an infinity, so must the kernel, at the same index. A kernel that has
// a function named ..._definition in a header must be in the table.
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <regex>
#include <set>
#include <sstream>

#include "attention/attention.h"
#include "attention/fused/plain_attention.h"
#include "attention/scores/additive_scores.h"
#include "nn/nn.h"
#include "nn/recurrent/recurrence.h"
#include "tests/autograd/compare.h"

namespace heed {
namespace {

using Xs = std::vector<Tensor>;
using Function = std::function<Tensor(const Xs&)>;

struct Kernel {
    std::string name;  // begins with that of the function
    std::vector<Shape> inputs;
    Function kernel, definition;
    bool forward_only = false;  // the definition is loops, without a gradient
    bool adds_products =
        false;  // in another order than the definition, so near the largest float one overflows
};

Tensor both_states(const RecurrentState& state) {
    return state.cell.defined() ? stack({state.hidden, state.cell}) : state.hidden;
}

void add_recurrent(std::vector<Kernel>& all) {
    for (CellKind kind : {CellKind::rnn_tanh, CellKind::rnn_relu, CellKind::gru, CellKind::lstm}) {
        const bool two = states_of(kind) == 2;
        const int64_t B = 3, T = 4, H = 5, wide = gates_of(kind) * H;
        std::vector<Shape> step{{B, wide}, {B, wide}, {B, H}},
            sequence{{B, T, wide}, {wide, H}, {wide}, {B, H}};
        if (two) step.push_back({B, H}), sequence.push_back({B, H});
        const auto state = [two](const Xs& x, std::size_t first) {
            return RecurrentState{x[first], two ? x[first + 1] : Tensor()};
        };
        all.push_back({fmt::format("recurrent_step, {}", name_of(kind)), step,
                       [=](const Xs& x) {
                           return both_states(recurrent_step(kind, x[0], x[1], state(x, 2)));
                       },
                       [=](const Xs& x) {
                           return both_states(
                               recurrent_step_definition(kind, x[0], x[1], state(x, 2)));
                       }});
        for (bool reverse : {false, true})
            for (bool ragged : {false, true}) {
                SequenceOptions options;
                options.reverse = reverse;
                if (ragged) options.lengths = Indices({4, 2, 3});
                all.push_back({fmt::format("recurrent_sequence, {}{}{}", name_of(kind),
                                           reverse ? ", reverse" : "", ragged ? ", lengths" : ""),
                               sequence,
                               [=](const Xs& x) {
                                   return recurrent_sequence(kind, x[0], state(x, 3), x[1], x[2],
                                                             options);
                               },
                               [=](const Xs& x) {
                                   return recurrent_sequence_definition(kind, x[0], state(x, 3),
                                                                        x[1], x[2], options);
                               }});
            }
    }
}

void add_attention(std::vector<Kernel>& all) {
    struct Case {
        const char* name;
        int64_t queries, keys;
        bool mask, bias, causal;
        double dropout;
    };
    for (const Case& c :
         {Case{"plain", 3, 5, false, false, false, 0}, Case{"causal", 4, 4, false, false, true, 0},
          Case{"mask", 3, 5, true, false, false, 0}, Case{"bias", 3, 5, false, true, false, 0},
          Case{"mask, bias, causal", 5, 5, true, true, true, 0},
          Case{"dropout", 3, 5, false, false, false, 0.4},
          Case{"one query at the end of a cache", 1, 9, false, false, true, 0},
          Case{"many tiles", 70, 300, false, false, false, 0},
          Case{"many tiles, causal, mask", 140, 300, true, false, true, 0}}) {
        const auto options = [c](const Xs& x) {
            AttentionCall o{.causal = c.causal, .dropout = c.dropout, .dropout_seed = 3};
            if (c.mask) {
                o.mask = ones({2, 1, c.queries, c.keys}, x[0].dtype());
                Rng rng(4);
                with_dtype(o.mask.dtype(), [&]<class T>(T) {
                    T* m = o.mask.edit<T>();
                    for (int64_t i = 0; i < o.mask.numel(); ++i)
                        if (i % c.keys != 0 && rng.below(3) == 0) m[i] = 0;
                });
            }
            if (c.bias) o.bias = detach(x[3]);
            return o;
        };
        std::vector<Shape> inputs{{2, 2, c.queries, 3}, {2, 2, c.keys, 3}, {2, 2, c.keys, 4}};
        if (c.bias) inputs.push_back({2, c.queries, c.keys});
        all.push_back(
            {fmt::format("scaled_dot_product, {}", c.name), inputs,
             [=](const Xs& x) {
                 return scaled_dot_product_attention(x[0], x[1], x[2], options(x));
             },
             [=](const Xs& x) {
                 return scaled_dot_product_definition(x[0], x[1], x[2], options(x)).context;
             }});
    }
    for (const BlockPatternOptions& options :
         {BlockPatternOptions{.before = 9, .after = 9, .block = 2},
          BlockPatternOptions{.before = 1, .global = {0}, .causal = true, .block = 2}}) {
        const BlockPattern pattern(7, options);
        all.push_back(
            {options.causal ? "block_sparse, causal, global" : "block_sparse, all pairs",
             {{1, 2, 7, 3}, {1, 2, 7, 3}, {1, 2, 7, 4}},
             [=](const Xs& x) { return block_sparse_attention(x[0], x[1], x[2], pattern); },
             [=](const Xs& x) {
                 return block_sparse_definition(x[0], x[1], x[2], pattern).context;
             }});
    }
    all.push_back(
        {"selective_scan",
         {{2, 4, 5}, {2, 4, 5}, {5, 3}, {2, 4, 3}, {2, 4, 3}},
         [](const Xs& x) { return selective_scan(x[0], x[1], x[2], x[3], x[4]); },
         [](const Xs& x) { return selective_scan_definition(x[0], x[1], x[2], x[3], x[4]); },
         false,
         true});
    all.push_back({"additive_scores",
                   {{2, 3, 4}, {2, 5, 4}, {4}},
                   [](const Xs& x) { return additive_scores(x[0], x[1], x[2]); },
                   [](const Xs& x) { return additive_scores_definition(x[0], x[1], x[2]); }});
}

// Laid out by hand: a kernel, then its definition.
// clang-format off
std::vector<Kernel> kernels() {
    std::vector<Kernel> all;
    for (int axis : {-1, 0}) {
        const auto name = [&](const char* of) { return fmt::format("{} along {}", of, axis); };
        all.push_back({name("softmax"), {{3, 21}}, [=](const Xs& x) { return softmax(x[0], axis); },
                       [=](const Xs& x) { return softmax_definition(x[0], axis); }});
        all.push_back({name("log_softmax"), {{3, 21}}, [=](const Xs& x) { return log_softmax(x[0], axis); },
                       [=](const Xs& x) { return log_softmax_definition(x[0], axis); }});
        const auto mask = [](const Xs& x) {
            return tensor({1, 1, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1}, {3, 4}, x[0].dtype());
        };
        all.push_back({name("masked_softmax"), {{3, 4}},
                       [=](const Xs& x) { return masked_softmax(x[0], mask(x), axis); },
                       [=](const Xs& x) { return masked_softmax_definition(x[0], mask(x), axis); }});
    }
    const Segments segments({0, 0, 0, 2, 2, 2, 2}, 3);
    all.push_back({"segment_softmax", {{7, 3}},
                   [=](const Xs& x) { return segment_softmax(x[0], segments); },
                   [=](const Xs& x) { return segment_softmax_definition(x[0], segments); }});
    const Indices labels({1, 0, -100, 4});
    for (double smoothing : {0.0, 0.1})
        for (Reduction reduction : {Reduction::mean, Reduction::none}) {
            const CrossEntropyOptions options{.smoothing = smoothing, .reduction = reduction};
            all.push_back({fmt::format("cross_entropy, smoothing {}", smoothing), {{4, 5}},
                           [=](const Xs& x) { return cross_entropy(x[0], labels, options); },
                           [=](const Xs& x) { return cross_entropy_definition(x[0], labels, options); }});
        }
    const Indices spoken({1, 2, 2, 2}, {2, 2});
    all.push_back({"ctc_loss", {{2, 4, 3}},
                   [=](const Xs& x) { return ctc_loss(x[0], spoken, {}, {}, {.reduction = Reduction::none}); },
                   [=](const Xs& x) {
                       return ctc_loss_definition(x[0], spoken, {}, {}, {.reduction = Reduction::none});
                   }});
    all.push_back({"cumprod", {{3, 5, 2}}, [](const Xs& x) { return cumprod(x[0], 1); },
                   [](const Xs& x) { return cumprod_definition(x[0], 1); }});
    all.push_back({"layer_norm", {{4, 19}, {19}, {19}},
                   [](const Xs& x) { return layer_norm(x[0], x[1], x[2]); },
                   [](const Xs& x) { return layer_norm_definition(x[0], x[1], x[2]); }});
    all.push_back({"rms_norm", {{4, 19}, {19}}, [](const Xs& x) { return rms_norm(x[0], x[1]); },
                   [](const Xs& x) { return rms_norm_definition(x[0], x[1]); }});
    all.push_back({"batch_norm", {{2, 3, 4, 5}, {3}, {3}},
                   [](const Xs& x) {
                       BatchNorm2d norm(3);
                       norm.running_mean = zeros({3}, x[0].dtype());
                       norm.running_var = ones({3}, x[0].dtype());
                       norm.weight = x[1], norm.bias = x[2];
                       return norm(x[0], Mode::training());
                   },
                   [](const Xs& x) {
                       // each channel of the batch is a row
                       const Tensor rows = reshape(permute(x[0], {1, 0, 2, 3}), {3, 40});
                       const Tensor normal = layer_norm_definition(rows, {}, {}, 1e-5);
                       return permute(reshape(normal, {3, 2, 4, 5}), {1, 0, 2, 3}) *
                                  reshape(x[1], {3, 1, 1}) +
                              reshape(x[2], {3, 1, 1});
                   }});
    all.push_back({"linear", {{3, 5}, {4, 5}, {4}}, [](const Xs& x) { return linear(x[0], x[1], x[2]); },
                   [](const Xs& x) { return linear_definition(x[0], x[1], x[2]); }});
    all.push_back({"conv2d", {{2, 3, 5, 5}, {4, 3, 3, 3}, {4}},
                   [](const Xs& x) { return conv2d(x[0], x[1], x[2]); },
                   [](const Xs& x) { return conv2d_definition(x[0], x[1], x[2]); }, true});
    all.push_back({"einsum", {{3, 4}, {4, 5}}, [](const Xs& x) { return einsum("ij,jk->ik", x); },
                   [](const Xs& x) { return einsum_definition("ij,jk->ik", x); }});
    add_recurrent(all);
    add_attention(all);
    return all;
}
// clang-format on

// The result, then the gradient of each input.
std::vector<Tensor> both_ways(const Function& f, const Xs& inputs, const Tensor& g,
                              bool again = false) {
    Xs leaves;
    for (const Tensor& x : inputs) leaves.push_back(clone(x).set_requires_grad());
    const Tensor y = f(leaves);
    std::vector<Tensor> all = grad(y, leaves, again, g);
    all.insert(all.begin(), y);
    return all;
}

// What is asked of two tensors: the same kind of number (finite, NaN, +∞, -∞) at each index, and finite
// ones close; or, for gradients, the same indices that are not finite: whether ∞ becomes NaN depends on the
// order of terms.
enum class Kind { same, not_finite };

// The first index at which they differ; -1 if none. Where the expected number is larger than `overflow`, the
// found one may have overflowed: the partial sums of another order may be larger than the sum.
int64_t first_difference(const Tensor& found, const Tensor& expected, double tolerance,
                         Kind kind = Kind::same, double overflow = infinity) {
    const std::vector<double> a = found.to_vector(), b = expected.to_vector();
    REQUIRE(a.size() == b.size());
    double size = 1;
    for (double each : b)
        if (std::isfinite(each)) size = std::max(size, std::abs(each));
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (std::isnan(a[i]) && std::isnan(b[i])) continue;
        if (a[i] == b[i]) continue;
        if (kind == Kind::not_finite && !std::isfinite(a[i]) && !std::isfinite(b[i])) continue;
        const bool close_to_it = std::isfinite(b[i]) && std::abs(b[i]) > overflow;
        if (close_to_it && std::isinf(a[i]) && std::signbit(a[i]) == std::signbit(b[i])) continue;
        if (!(std::abs(a[i] - b[i]) <= tolerance * size)) return static_cast<int64_t>(i);
    }
    return -1;
}

// With `overflows` some number is so large that gradients overflow in one order of products and not in the
// other, so only the results are compared.
void compare(const Kernel& kernel, const Xs& inputs, const Tensor& g, bool overflows = false) {
    const bool single = g.dtype() == Dtype::float32;
    const double tolerance = single ? 1e-4 : 1e-11;
    const double largest =
        single ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();
    if (kernel.forward_only) {
        CHECK(first_difference(kernel.kernel(inputs), kernel.definition(inputs), tolerance) < 0);
        return;
    }
    const auto expected = both_ways(kernel.definition, inputs, g);
    for (bool again : {false, true}) {
        const auto found = both_ways(kernel.kernel, inputs, g, again);
        for (std::size_t i = 0; i < found.size(); ++i) {
            if (i > 0 && overflows) continue;
            const int64_t at = first_difference(
                found[i], expected[i], tolerance, i == 0 ? Kind::same : Kind::not_finite,
                overflows && kernel.adds_products ? largest / 8 : infinity);
            if (at < 0) continue;
            INFO((i == 0 ? "the result" : fmt::format("the gradient of input {}", i - 1))
                 << (again ? ", to be differentiated again," : "") << " at " << at << ": "
                 << found[i].to_vector()[at] << ", the definition " << expected[i].to_vector()[at]);
            CHECK(at < 0);
        }
    }
}

std::vector<double> bad_numbers(Dtype dtype) {
    return with_dtype(dtype, []<class T>(T) -> std::vector<double> {
        using Limits = std::numeric_limits<T>;
        return {nan_value,
                infinity,
                -infinity,
                Limits::max() / 8,
                -Limits::max() / 8,
                Limits::min(),
                Limits::denorm_min(),
                0};
    });
}

void put(Tensor& x, int64_t i, double value) {
    with_dtype(x.dtype(), [&]<class T>(T) { x.edit<T>()[i] = static_cast<T>(value); });
}

}  // namespace

TEST_CASE("fused kernels show NaN, infinities and overflow as their definitions do", "[bad]") {
    for (const Kernel& kernel : kernels())
        for (Dtype dtype : {Dtype::float32, Dtype::float64}) {
            Xs inputs;
            Rng rng(7);
            for (const Shape& shape : kernel.inputs)
                inputs.push_back(normal(shape, 0, 1, rng, dtype));
            const Tensor g = normal(kernel.definition(inputs).shape(), 0, 1, rng, dtype);
            compare(kernel, inputs, g);
            const bool large = kernel.inputs[0].numel() > 1000;
            for (double bad : bad_numbers(dtype)) {
                for (std::size_t k = 0; k <= inputs.size(); ++k) {  // the last one: the gradient
                    const int64_t n = k < inputs.size() ? inputs[k].numel() : g.numel();
                    for (int64_t at : std::set<int64_t>{0, n / 3, n - 1}) {
                        if (at > 0 && large) continue;
                        INFO(kernel.name << " in " << name_of(dtype) << " with " << bad << " at "
                                         << at
                                         << (k < inputs.size() ? fmt::format(" of input {}", k)
                                                               : std::string(" of the gradient")));
                        Xs changed = inputs;
                        Tensor changed_g = clone(g);
                        if (k < inputs.size()) changed[k] = clone(inputs[k]);
                        put(k < inputs.size() ? changed[k] : changed_g, at, bad);
                        compare(kernel, changed, changed_g,
                                std::isfinite(bad) && std::abs(bad) > 1e30);
                    }
                }
                // A whole row.
                INFO(kernel.name << " in " << name_of(dtype) << " with a row of " << bad);
                Xs changed = inputs;
                changed[0] = clone(inputs[0]);
                const int64_t row = changed[0].size(-1);
                for (int64_t i = 0; i < row; ++i) put(changed[0], i, bad);
                compare(kernel, changed, g, std::isfinite(bad) && std::abs(bad) > 1e30);
            }
        }
}

// The weight of such a key is 0, and an infinite gradient makes 0 times infinity of it.
TEST_CASE("a bias of -infinity and a gradient that is not finite, in one row", "[bad]") {
    for (const Kernel& kernel : kernels()) {
        if (kernel.name.find("bias") == std::string::npos) continue;
        for (Dtype dtype : {Dtype::float32, Dtype::float64})
            for (double bad : {nan_value, infinity, -infinity}) {
                Xs inputs;
                Rng rng(8);
                for (const Shape& shape : kernel.inputs)
                    inputs.push_back(normal(shape, 0, 1, rng, dtype));
                Tensor g = normal(kernel.definition(inputs).shape(), 0, 1, rng, dtype);
                put(inputs.back(), 2 * inputs.back().size(-1), -infinity);  // query 2, key 0
                put(g, 2 * g.size(-1), bad);
                INFO(kernel.name << " in " << name_of(dtype) << ", gradient " << bad);
                compare(kernel, inputs, g);
            }
    }
}

TEST_CASE("the table above holds every function with a definition", "[bad]") {
    std::set<std::string> listed;
    for (const Kernel& kernel : kernels())
        listed.insert(kernel.name.substr(0, kernel.name.find_first_of(" ,")));
    // These are made of recorded operations like their definitions: no kernel of their own.
    const std::set<std::string> no_kernel{"performer", "lsh", "reversible", "linear_attention"};
    listed.insert(no_kernel.begin(), no_kernel.end());
    const std::regex definition(R"((\w+)_definition\()");
    for (const char* folder : {"autograd/ops", "nn", "attention"})
        for (const auto& entry : std::filesystem::recursive_directory_iterator(
                 std::string(HEED_SOURCE_DIR "/") + folder)) {
            if (entry.path().extension() != ".h") continue;
            std::ostringstream text;
            text << std::ifstream(entry.path()).rdbuf();
            const std::string all = text.str();
            for (std::sregex_iterator i(all.begin(), all.end(), definition), end; i != end; ++i) {
                INFO((*i)[1] << "_definition of " << entry.path()
                             << " is not in the table of kernels()");
                CHECK(listed.count((*i)[1]) == 1);
            }
        }
    // And every call of record_fused() lies in a file whose kernel is in the table.
    const std::set<std::string> files{"recurrence.cpp",      "scaled_dot_product.cpp",
                                      "additive_scores.cpp", "layer_norm.cpp",
                                      "cross_entropy.cpp",   "block_sparse.cpp",
                                      "batch_norm.cpp",      "cumulative.cpp",
                                      "selective_scan.cpp",  "ctc.cpp"};
    for (const char* folder : {"autograd", "nn", "attention"})
        for (const auto& entry : std::filesystem::recursive_directory_iterator(
                 std::string(HEED_SOURCE_DIR "/") + folder)) {
            if (entry.path().extension() != ".cpp") continue;
            std::ostringstream text;
            text << std::ifstream(entry.path()).rdbuf();
            INFO(entry.path()
                 << " calls record_fused(): add its kernel to kernels(), and the file here");
            CHECK((text.str().find("record_fused(") == std::string::npos ||
                   files.count(entry.path().filename().string()) == 1));
        }
}

// --- optimisers and decoding ---------------------------------------------------------------------

namespace {

// The formulas of the headers for one parameter p and its gradients of successive steps, in T.
template <class T>
struct OneParameter {
    const char* name;
    T (*after)(T p, const std::vector<T>& gradients);
};

template <class T>
std::vector<OneParameter<T>> optimiser_formulas() {
    return {{"sgd with momentum",
             [](T p, const std::vector<T>& gs) {
                 T v = 0;
                 for (T g : gs) p -= T(0.1) * (v = T(0.9) * v + g);
                 return p;
             }},
            {"adam",
             [](T p, const std::vector<T>& gs) {
                 T m = 0, v = 0;
                 int t = 0;
                 for (T g : gs) {
                     ++t;
                     m = T(0.9) * m + T(0.1) * g;
                     v = T(0.999) * v + T(0.001) * g * g;
                     p -= T(0.1 / (1 - std::pow(0.9, t))) * m /
                          (std::sqrt(v) / std::sqrt(T(1 - std::pow(0.999, t))) + T(1e-8));
                 }
                 return p;
             }},
            {"rmsprop", [](T p, const std::vector<T>& gs) {
                 T v = 0;
                 for (T g : gs) {
                     v = T(0.99) * v + T(0.01) * g * g;
                     p -= T(0.1) * g / (std::sqrt(v) + T(1e-8));
                 }
                 return p;
             }}};
}

}  // namespace

TEST_CASE("optimisers carry NaN and infinities as their formulas do, to that parameter alone",
          "[bad]") {
    const auto check_all = [](auto zero) {
        using T = decltype(zero);
        const Dtype dtype = sizeof(T) == 4 ? Dtype::float32 : Dtype::float64;
        const int64_t n = 37;  // registers, and a rest
        for (const OneParameter<T>& formula : optimiser_formulas<T>())
            for (double bad : bad_numbers(dtype)) {
                INFO(formula.name << " in " << name_of(dtype) << " with a gradient of " << bad);
                Tensor p = parameter(tensor(std::vector<double>(n, 0.5), {n}, dtype));
                const std::vector<Parameter> all{{"p", p}};
                std::unique_ptr<Optimiser> optimiser;
                if (formula.name[0] == 's')
                    optimiser = std::make_unique<Sgd>(all, SgdOptions{.lr = 0.1, .momentum = 0.9});
                else if (formula.name[0] == 'a')
                    optimiser = std::make_unique<Adam>(all, AdamOptions{.lr = 0.1});
                else
                    optimiser = std::make_unique<RmsProp>(all, RmsPropOptions{.lr = 0.1});
                std::vector<std::vector<T>> gradients(n);
                for (int step = 0; step < 3; ++step) {
                    Tensor g = normal({n}, 0, 1, *std::make_unique<Rng>(step + 1), dtype);
                    if (step == 1) put(g, 20, bad);
                    for (int64_t i = 0; i < n; ++i)
                        gradients[i].push_back(static_cast<T>(g.at({i})));
                    optimiser->zero_grad();
                    backward(sum(p * g));
                    optimiser->step();
                }
                std::vector<double> expected;
                for (int64_t i = 0; i < n; ++i)
                    expected.push_back(formula.after(T(0.5), gradients[i]));
                CHECK(first_difference(p, tensor(expected, {n}, dtype), 1e-5, Kind::not_finite) <
                      0);
            }
    };
    check_all(float());
    check_all(double());
}

TEST_CASE("a bad token shows in every later step of decoding with a cache", "[bad]") {
    Rng rng(1);
    for (PositionKind kind : {PositionKind::none, PositionKind::rotary, PositionKind::alibi}) {
        SelfAttention attention({.width = 8, .heads = 2}, {.kind = kind}, rng);
        Tensor x = normal({1, 5, 8}, 0, 1, rng);
        put(x, 2 * 8 + 3, nan_value);  // token 2
        KeyValueCache cache;
        for (int64_t t = 0; t < 5; ++t) {
            INFO("step " << t);
            const Tensor y = attention(slice(x, 1, t, t + 1), {.causal = true, .cache = &cache});
            for (double each : y.to_vector()) CHECK(std::isnan(each) == (t >= 2));
        }
    }
}

TEST_CASE("a NaN shows in no earlier row of causal attention", "[bad]") {
    const int64_t T = 7, D = 4;
    Rng rng(2);
    const Tensor w = orthogonal_features(6, D, rng, Dtype::float64);
    const BlockPattern pattern(T, {.before = 3, .causal = true, .block = 2});
    const PerformerOptions past{.causal = true, .chunk = 3};
    struct Causal {
        const char* name;
        std::function<Tensor(const Tensor& q, const Tensor& k, const Tensor& v)> f;
    };
    const Causal all[] = {
        {"scaled_dot_product_attention",
         [](auto&... x) { return scaled_dot_product_attention(x..., {.causal = true}); }},
        {"scaled_dot_product_definition",
         [](auto&... x) { return scaled_dot_product_definition(x..., {.causal = true}).context; }},
        {"block_sparse_attention",
         [&](auto&... x) { return block_sparse_attention(x..., pattern); }},
        {"block_sparse_definition",
         [&](auto&... x) { return block_sparse_definition(x..., pattern).context; }},
        {"performer_attention", [&](auto&... x) { return performer_attention(x..., w, past); }},
        {"performer_definition",
         [&](auto&... x) { return performer_definition(x..., w, past).context; }},
    };
    for (const Causal& attention : all) {
        std::vector<Tensor> x;
        for (int i = 0; i < 3; ++i) x.push_back(normal({1, 2, T, D}, 0, 1, rng, Dtype::float64));
        const Tensor usual = attention.f(x[0], x[1], x[2]);
        for (int64_t t = 1; t < T; ++t)
            for (std::size_t i = 0; i < 3; ++i) {
                INFO(attention.name << ", NaN in input " << i << ", row " << t);
                std::vector<Tensor> changed = x;
                changed[i] = clone(x[i]);
                for (int64_t head = 0; head < 2; ++head)
                    put(changed[i], (head * T + t) * D + 1, nan_value);
                const Tensor y = attention.f(changed[0], changed[1], changed[2]);
                CHECK(largest_difference(slice(y, 2, 0, t), slice(usual, 2, 0, t)) < 1e-12);
                CHECK(std::isnan(sum(slice(y, 2, t, t + 1)).item()));
            }
    }
}

// --- what the mask decides ----------------------------------------------------------------------

TEST_CASE("a query with biases of -infinity alone is 0 / 0; one that the mask leaves nothing is 0",
          "[bad]") {
    for (Dtype dtype : {Dtype::float32, Dtype::float64}) {
        Rng rng(1);
        const Tensor q = normal({1, 1, 2, 3}, 0, 1, rng, dtype),
                     k = normal({1, 1, 4, 3}, 0, 1, rng, dtype),
                     v = normal({1, 1, 4, 3}, 0, 1, rng, dtype);
        Tensor bias = zeros({2, 4}, dtype), mask = ones({1, 1, 2, 4}, dtype);
        for (int i = 0; i < 4; ++i) put(bias, i, -infinity);  // the first query
        const auto is_nan_row = [&](const Tensor& y, int row) {
            for (double each : select(select(select(y, 0, 0), 0, 0), 0, row).to_vector())
                if (!std::isnan(each)) return false;
            return true;
        };
        const auto check_all = [&](const AttentionCall& options, auto check_context) {
            Tensor leaf = clone(q).set_requires_grad();
            check_context(scaled_dot_product_attention(q, k, v, options));     // evaluation
            check_context(scaled_dot_product_attention(leaf, k, v, options));  // training
            check_context(scaled_dot_product_definition(q, k, v, options).context);
            check_context(transpose(plain_attention(q, k, v,
                                                    [&] {
                                                        auto all = options;
                                                        all.scale = 0.5;
                                                        return all;
                                                    }())
                                        .context,
                                    1, 2));
            AttentionCall trained = options;
            trained.bias = clone(options.bias).set_requires_grad();
            check_context(scaled_dot_product_attention(q, k, v, trained));  // a learned bias
        };
        check_all({.bias = bias}, [&](const Tensor& y) {
            CHECK(is_nan_row(y, 0));
            CHECK(all(isfinite(select(y, 2, 1))).item() == 1);
        });
        check_all({.mask = mask, .bias = bias}, [&](const Tensor& y) { CHECK(is_nan_row(y, 0)); });
        for (int i = 0; i < 4; ++i) put(mask, i, 0);
        check_all({.mask = mask, .bias = bias}, [&](const Tensor& y) {
            CHECK(all(select(y, 2, 0) == 0.0).item() == 1);
            CHECK(all(isfinite(y)).item() == 1);
        });
    }
}

TEST_CASE("masked_softmax is 0 where the mask is, also in a row with NaN", "[bad]") {
    for (double bad : {nan_value, infinity, -infinity}) {
        const Tensor y = masked_softmax(tensor({1, bad, 2, bad}), tensor({1, 1, 0, 0}));
        CHECK(y.at({2}) == 0);
        CHECK(y.at({3}) == 0);
        CHECK((std::isnan(y.at({0})) == (bad != -infinity)));
    }
}

// --- healthy numbers stay finite ----------------------------------------------------------------

namespace {

struct Stable {
    const char* name;
    std::function<Tensor(const Tensor&)> f = {};
};

std::vector<Stable> stable_functions() {
    return {
        {"softmax", [](const Tensor& x) { return softmax(x); }},
        {"log_softmax", [](const Tensor& x) { return log_softmax(x); }},
        {"logsumexp", [](const Tensor& x) { return logsumexp(x, -1); }},
        {"cross_entropy",
         [](const Tensor& x) {
             return cross_entropy(x, Indices({0, 2, 1, 3}), {.reduction = Reduction::none});
         }},
        {"layer_norm", [](const Tensor& x) { return layer_norm(x); }},
        {"layer_norm_definition", [](const Tensor& x) { return layer_norm_definition(x); }},
        {"rms_norm", [](const Tensor& x) { return rms_norm(x); }},
        {"rms_norm_definition", [](const Tensor& x) { return rms_norm_definition(x); }},
        {"norm", [](const Tensor& x) { return norm(x, 2, -1); }},
        {"norm over columns", [](const Tensor& x) { return norm(x, 2, 0); }},
        {"norm with p = 3", [](const Tensor& x) { return norm(x, 3, -1, true); }},
        {"BatchNorm",
         [](const Tensor& x) {
             Rng rng(1);
             BatchNorm layer(x.size(1));
             to_dtype(layer, x.dtype());
             return layer(x, Mode::training(rng));
         }},
        {"BatchNorm of many pixels",  // which has a kernel
         [](const Tensor& x) {
             BatchNorm layer(1);
             to_dtype(layer, x.dtype());
             return layer(reshape(x, {2, 1, 18}), Mode::training());
         }},
        {"cosine scores",
         [](const Tensor& x) {
             return ContentScore{zeros({}, x.dtype())}(
                 unsqueeze(x, 0), ContentScore().prepare(unsqueeze(x, 0) * 0.5));
         }},
        {"attention with all keys masked",
         [](const Tensor& x) {
             const Tensor h = unsqueeze(unsqueeze(x, 0), 0);
             return scaled_dot_product_attention(h, h, h,
                                                 {.mask = zeros({1, 1, 1, x.size(0)}, x.dtype())});
         }},
        {"its definition",
         [](const Tensor& x) {
             const Tensor h = unsqueeze(unsqueeze(x, 0), 0);
             return scaled_dot_product_definition(h, h, h,
                                                  {.mask = zeros({1, 1, 1, x.size(0)}, x.dtype())})
                 .context;
         }},
    };
}

double largest_size(const Tensor& x) { return x.numel() == 0 ? 0 : max(abs(x)).item(); }

}  // namespace

TEST_CASE("softmax, norms, cosine scores and masked attention are right from denormals to FLT_MAX",
          "[bad]") {
    for (const Stable& stable : stable_functions())
        for (double scale : {1e-44, 1e-40, 1.2e-38, 1e-30, 1e-20, 1e-10, 1.0, 1e5, 1e10, 1e15, 1e20,
                             1e25, 1e30, 1e35, 1e38, 3.4e38}) {
            INFO(stable.name << " of numbers around " << scale);
            Rng rng(3);
            const Tensor exact = to_dtype(
                to_dtype(uniform({4, 9}, -1, 1, rng, Dtype::float64) * scale, Dtype::float32),
                Dtype::float64);
            const auto run = [&](const Tensor& x) {
                Tensor leaf = clone(x).set_requires_grad();
                const Tensor y = stable.f(leaf);
                Rng same(5);
                const Tensor g = to_dtype(normal(y.shape(), 0, 1, same, Dtype::float64), x.dtype());
                return std::array{y, grad(y, {leaf}, false, g)[0]};
            };
            const auto single = run(to_dtype(exact, Dtype::float32)), twice = run(exact);
            const double top = std::numeric_limits<float>::max();
            if (largest_size(twice[0]) > top) continue;  // the norm of numbers near the largest one
            for (int way : {0, 1}) {
                INFO((way == 0 ? "the value" : "the gradient"));
                const Tensor found = to_dtype(single[way], Dtype::float64);
                CHECK(all(isfinite(found)).item() == 1);
                CHECK(all(isfinite(twice[way])).item() == 1);
                // Against float64; where that is a normal float at all.
                const double size = largest_size(twice[way]);
                if (scale > 1e-39 && size > 1e-34 && size < 3e38)
                    CHECK(largest_size(found - twice[way]) <= 2e-4 * size);
            }
            // Rows of equal numbers.
            if (largest_size(stable.f(full({4, 9}, scale, Dtype::float64))) > top) continue;
            const auto same = run(full({4, 9}, scale, Dtype::float32));
            for (int way : {0, 1}) CHECK(all(isfinite(same[way])).item() == 1);
        }
}

}  // namespace heed
