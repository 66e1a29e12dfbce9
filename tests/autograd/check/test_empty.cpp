// Nothing at all: axes of size 0, over everything that has a case in the gradient check.
//
// A case says nothing of which sizes may change. So they are found: a set of axes of one size, at most
// one of each input or all of them, is free if the case also works with the sizes 6 and 8 there. Then it must work with
// size 0, or refuse with a message that stands in the table below; a new function is tried as soon as it has
// a case. With size 0
//
//   * the result has the shape that those of the sizes 6 and 8 lead to;
//   * it does not depend on what lay in memory before: every run finds its memory filled with another number;
//   * each gradient has the shape of its input, and is 0 if the result has no elements.
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "attention/attention.h"
#include "nn/nn.h"
#include "tests/autograd/compare.h"
#include "tests/gradcheck/registry.h"

namespace heed {
namespace {

// Blocks of all small sizes in the pool's lists, filled with one number.
void fill_free_memory(double number) {
    std::vector<Tensor> blocks;
    for (int64_t size = 1; size <= 4096; size += size < 64 ? 1 : size / 8)
        for (int copies = 0; copies < 4; ++copies)
            for (Dtype dtype : {Dtype::float32, Dtype::float64})
                blocks.push_back(full({size}, number, dtype));
}

// An axis of an input, and a set of them that have one size.
struct FreeAxis {
    std::size_t input;
    int axis;
};
using AxisSet = std::vector<FreeAxis>;

// The inputs of a case that are not parameters come first.
std::size_t data_inputs(const Case& one) {
    if (one.names.empty()) return one.inputs.size();
    std::size_t count = 0;
    while (count < one.names.size() && one.names[count] == fmt::format("x{}", count)) ++count;
    return count;
}

// All sets of axes of one size, at most one axis of each input; and all axes of that size.
std::vector<AxisSet> axis_sets(const Case& one) {
    std::set<int64_t> sizes;
    const std::size_t inputs = data_inputs(one);
    for (std::size_t i = 0; i < inputs; ++i)
        for (int64_t size : one.inputs[i].shape()) sizes.insert(size);
    std::vector<AxisSet> all;
    for (int64_t size : sizes) {
        std::vector<AxisSet> some{{}};
        for (std::size_t i = 0; i < inputs; ++i) {
            const std::size_t before = some.size();
            for (std::size_t k = 0; k < before && some.size() < 256; ++k)
                for (int axis = 0; axis < one.inputs[i].dim(); ++axis)
                    if (one.inputs[i].size(axis) == size) {
                        some.push_back(some[k]);
                        some.back().push_back({i, axis});
                    }
        }
        AxisSet every;  // square matrices, for example
        for (std::size_t i = 0; i < inputs; ++i)
            for (int axis = 0; axis < one.inputs[i].dim(); ++axis)
                if (one.inputs[i].size(axis) == size) every.push_back({i, axis});
        some.push_back(every);
        all.insert(all.end(), some.begin() + 1, some.end());
    }
    return all;
}

std::vector<Tensor> with_size(const Case& one, const AxisSet& axes, int64_t size) {
    std::vector<Tensor> xs = one.inputs;
    for (const FreeAxis& free : axes) {
        Tensor& x = xs[free.input];
        const int64_t old = x.size(free.axis);
        std::vector<int> rows(size);
        for (int64_t i = 0; i < size; ++i) rows[i] = static_cast<int>(i % old);
        x = index_select(x, free.axis, rows);
    }
    for (Tensor& x : xs) x = clone(x).set_requires_grad();
    return xs;
}

std::string described(const Case& one, const AxisSet& axes) {
    std::string text = one.name + ":";
    for (const FreeAxis& free : axes)
        text += fmt::format(" axis {} of input {} {}", free.axis, free.input,
                            to_string(one.inputs[free.input].shape()));
    return text;
}

// The result and all gradients.
struct Outcome {
    Tensor y;
    std::vector<Tensor> gradients;
};
Outcome run(const Case& one, const AxisSet& axes, int64_t size) {
    const std::vector<Tensor> xs = with_size(one, axes, size);
    const Tensor y = one.f(xs);
    return {y, grad(y, xs, false, full(y.shape(), 0.5, y.dtype()))};
}

// The shape of the result for size 0, if it goes on as from 6 to 8; not defined if an axis would have a
// negative size. (Even sizes, for strides of 2; large ones, which do not broadcast.)
struct Expected {
    bool defined = false;
    Shape shape;
};
std::optional<Expected> expected_shape(const Case& one, const AxisSet& axes) {
    Shape six, eight;
    try {
        six = run(one, axes, 6).y.shape();
        eight = run(one, axes, 8).y.shape();
    } catch (const Error&) {
        return std::nullopt;
    }
    Expected expected{true, six};
    for (int i = 0; i < six.count; ++i) {
        expected.shape[i] = 4 * six[i] - 3 * eight[i];
        expected.defined &= expected.shape[i] >= 0;
    }
    return expected;
}

// What is refused, by a part of the message.
struct Refusal {
    const char* message;
    const char* reason;
    bool with_results = false;  // only if there would be results
};
const Refusal refusals[] = {
    {"holds no element", "nothing has a largest element", true},
    {"is empty", "nothing has a largest element", true},
    {"too few for a divisor", "nothing has a variance", true},
    {"of the 0 elements along axis", "topk takes elements", true},
    {"is outside [0, 0)", "an index or a label into nothing", true},
    {"select: index", "the case takes an element", true},
    {"is not inside axis", "the case takes elements", true},
    {"holds no element along axis", "the definitions of softmax subtract the largest element"},
    {"select: index 0 is outside axis 0 of shape [0]",
     "so do the functions that are differentiated"},
    {"is not inside axis -1", "and the views of every second column"},
    {"do not fit a tensor of shape", "gather's indices fit within the other axes"},
    {"expected at least one in each row", "a choice among no indices"},
    {"at least one sample", "a mean over no samples"},
    {"training needs two or more", "channels of no numbers have no variance"},
    {"expected x [B, C, ...] with numbers", "the same, in the operation"},
    {"has no steps", "a sequence without a last state"},
    {"of keys to divide the", "heads that share keys"},
    {"have no weights to be normalised", "a mean with weights of width 0"},
    {"is outside 0 to 0", "lengths of a sequence without steps"},
    {"does not fit into an image", "a window needs pixels"},
    {"expected a kernel of at least", "a window of no pixels"},
    {"from is 0; expected a positive number", "nothing to interpolate"},
    {"make it even", "positions of width 0"},
    {"but only 0 keys", "causal queries are among the keys"},
    {"the scale is inf", "1/√D of heads of width 0"},
    {"has not a row for each of", "ranks without rows"},
    {"of no pixels none is the largest", "pictures without pixels"},
    {"experts for each token, of 0", "a choice among no experts"},
};

// What a case calls with integers, masks or a graph of one size only. The models among them are tried below.
const std::set<std::string> fixed{
    "AttentionPoolingBlock",
    "Bert",
    "BertEmbeddings",
    "BertForPretraining",
    "ConformerBlock",
    "ConformerConvolution",
    "Embedding",
    "EncoderDecoder",
    "GraphAttention",
    "GraphAttentionV2",
    "GraphConvolution",
    "InducedSetAttentionBlock",
    "LanguageModel",
    "LearnedBaseline",
    "MultiHeadPooling",
    "RecurrentEncoder",
    "SetAttentionBlock",
    "Transformer",
    "TransformerEncoderLayer",
    "expand",
    "gaussian_log_prob",
    "group_advantage",
    "hvp",
    "index_add",
    "jvp",
    "masked_softmax_definition",
    "reinforce",
    "sample_location",
    "scatter_add",
};

bool same(const Tensor& a, const Tensor& b) {
    return a.shape() == b.shape() && all(equal_or_nan(a, b)).item() == 1;
}

TEST_CASE("whatever has a gradient works on axes of size 0, and reads no memory", "[grad]") {
    std::map<std::string, int> refused;
    std::set<std::string> tried, words;
    for (const Case& one : all_cases()) {
        if (is_large(one)) continue;
        const std::string word = one.name.substr(0, one.name.find_first_of(" :,"));
        words.insert(word);
        for (const AxisSet& axes : axis_sets(one)) {
            const auto expected = expected_shape(one, axes);
            if (!expected) continue;
            tried.insert(word);
            INFO(described(one, axes));
            try {
                fill_free_memory(777);
                const Outcome first = run(one, axes, 0);
                fill_free_memory(-888);
                const Outcome second = run(one, axes, 0);
                const Shape shape = first.y.shape();
                if (expected->defined && shape.numel() > 0) CHECK(shape == expected->shape);
                CHECK(shape.count == expected->shape.count);
                CHECK(same(first.y, second.y));
                // Only a plain mean of nothing is 0 / 0; that of losses is 0.
                const bool plain_mean = word == "mean" || word.rfind("adaptive", 0) == 0 ||
                                        word.rfind("Adaptive", 0) == 0;
                CHECK((plain_mean || isnan(sum(first.y)).item() == 0));
                for (std::size_t i = 0; i < first.gradients.size(); ++i) {
                    CHECK(first.gradients[i].shape() == with_size(one, axes, 0)[i].shape());
                    CHECK(same(first.gradients[i], second.gradients[i]));
                    if (shape.numel() == 0) CHECK(sum(abs(first.gradients[i])).item() == 0);
                }
            } catch (const std::out_of_range&) {  // the case takes an element of a vector
            } catch (const Error& error) {
                const std::string message = error.what();
                const bool results = !expected->defined || expected->shape.numel() > 0;
                bool known = false;
                for (const Refusal& refusal : refusals)
                    if (message.find(refusal.message) != std::string::npos &&
                        (results || !refusal.with_results))
                        known = true, ++refused[refusal.message];
                INFO(message);
                CHECK(known);
            }
        }
    }
    for (const std::string& word : words) {
        INFO(word
             << " is tried with an axis of size 0, or it is in the list of what has a fixed size");
        CHECK(tried.count(word) + fixed.count(word) == 1);
    }
    for (const Refusal& refusal : refusals) {
        INFO(refusal.message);
        CHECK(refused[refusal.message] > 0);
    }
}

// The result is as expected with other memory below it, too, and so are the gradients of all leaves.
void check_nothing(const std::vector<Tensor>& leaves, const std::function<Tensor()>& f,
                   const Shape& shape) {
    std::vector<Tensor> before;
    for (double number : {777.0, -888.0}) {
        fill_free_memory(number);
        const Tensor y = f();
        CHECK(y.shape() == shape);
        std::vector<Tensor> all = grad(y, leaves, false, full(shape, 0.5, y.dtype()));
        for (const Tensor& g : all) CHECK(sum(abs(g)).item() == 0);
        all.push_back(y);
        for (std::size_t i = 0; i < before.size(); ++i) CHECK(same(before[i], all[i]));
        before = all;
    }
}

template <Module M>
std::vector<Tensor> leaves_of(const M& model) {
    std::vector<Tensor> leaves;
    for (const Parameter& p : parameters(model)) leaves.push_back(p.tensor);
    return leaves;
}

TEST_CASE("models of no sentences, no tokens and no nodes", "[grad]") {
    Rng rng(1);
    const Indices none({}, {0, 3}), one({1, 2, 3}, {1, 3});
    const TransformerOptions stack{.width = 4, .heads = 2, .layers = 1, .hidden = 3};
    const Embedding embedding(5, 4, rng);
    check_nothing(leaves_of(embedding), [&] { return embedding(none); }, {0, 3, 4});
    check_nothing(leaves_of(embedding), [&] { return embedding(Indices({}, {2, 0})); }, {2, 0, 4});
    const Transformer transformer({.source_vocabulary = 5, .target_vocabulary = 5, .stack = stack},
                                  rng);
    check_nothing(leaves_of(transformer),
                  [&] { return transformer(none, Indices(std::vector<int>{}), none).logits; },
                  {0, 3, 5});
    check_nothing(leaves_of(transformer),
                  [&] {
                      return transformer(one, {3}, Indices({}, {1, 0})).logits;
                  },
                  {1, 0, 5});
    const LanguageModel gpt_like({.vocabulary = 5, .stack = stack}, rng);
    check_nothing(leaves_of(gpt_like), [&] { return gpt_like(none); }, {0, 3, 5});
    check_nothing(leaves_of(gpt_like), [&] { return gpt_like(Indices({}, {2, 0})); }, {2, 0, 5});
    const Bert bert({.vocabulary = 5, .max_positions = 3, .stack = stack}, rng);
    check_nothing(leaves_of(bert), [&] { return bert(none).output; }, {0, 3, 4});
    const SparseGraph graph(0, 0, Indices(std::vector<int>{}), Indices(std::vector<int>{}));
    const GraphConvolution convolution(3, 2, rng);
    check_nothing(leaves_of(convolution),
                  [&] {
                      return convolution(zeros({0, 3}), graph);
                  },
                  {0, 2});
    const GraphAttention attention({.width = 3, .head_width = 2, .heads = 2}, rng);
    check_nothing(leaves_of(attention),
                  [&] {
                      return attention(zeros({0, 3}), graph).context;
                  },
                  {0, 4});
}

// --- losses and metrics -----------------------------------------------------------------------------

TEST_CASE("the loss of nothing is 0, its gradient 0", "[grad]") {
    using Loss = std::function<Tensor(const Tensor&, Reduction)>;
    struct Named {
        const char* name;
        Loss loss;
    };
    const auto like = [](const Tensor& x) { return zeros(x.shape(), x.dtype()); };
    const auto ignored = [](const Tensor& x) {
        Shape rows = x.shape();
        --rows.count;
        return Indices(std::vector<int>(rows.numel(), -100), rows);
    };
    const Named all[] = {
        {"mse", [&](const Tensor& x, Reduction r) { return mse(x, like(x), r); }},
        {"l1_loss", [&](const Tensor& x, Reduction r) { return l1_loss(x, like(x), r); }},
        {"huber_loss", [&](const Tensor& x, Reduction r) { return huber_loss(x, like(x), 1, r); }},
        {"smooth_l1_loss",
         [&](const Tensor& x, Reduction r) { return smooth_l1_loss(x, like(x), 1, r); }},
        {"binary_cross_entropy",
         [&](const Tensor& x, Reduction r) { return binary_cross_entropy(x, like(x), r); }},
        {"binary_cross_entropy_with_logits",
         [&](const Tensor& x, Reduction r) {
             return binary_cross_entropy_with_logits(x, like(x), r);
         }},
        {"kl_divergence",
         [&](const Tensor& x, Reduction r) { return kl_divergence(x, like(x), r); }},
        {"nll_loss",
         [&](const Tensor& x, Reduction r) { return nll_loss(x, ignored(x), -100, r); }},
        {"cross_entropy",
         [&](const Tensor& x, Reduction r) {
             return cross_entropy(x, ignored(x), {.reduction = r});
         }},
        {"cross_entropy_definition",
         [&](const Tensor& x, Reduction r) {
             return cross_entropy_definition(x, ignored(x), {.reduction = r});
         }},
        {"info_nce",
         [](const Tensor&, Reduction) {
             return info_nce(zeros({0, 0}));
         }},
    };
    for (const Named& one : all)
        for (const Shape& shape : {Shape{0, 4}, Shape{3, 0}, Shape{0, 0}, Shape{2, 0, 4}})
            for (Reduction reduction : {Reduction::mean, Reduction::sum, Reduction::none})
                for (bool create_graph : {false, true}) {
                    INFO(one.name << " of " << to_string(shape));
                    fill_free_memory(777);
                    const Tensor x = zeros(shape).set_requires_grad();
                    const Tensor y = one.loss(x, reduction);
                    CHECK(sum(abs(y)).item() == 0);
                    if (!y.requires_grad()) continue;
                    CHECK(grad(y, {x}, create_graph, ones_like(y))[0].shape() == shape);
                }
    // Rows that do not count, of classes that are there.
    const Tensor x = full({3, 2}, 5).set_requires_grad();
    CHECK(cross_entropy(zeros({3, 0}), Indices{-100, -100, -100}, {.reduction = Reduction::none})
              .to_vector() == std::vector<double>{0, 0, 0});
    for (bool create_graph : {false, true})
        CHECK(sum(abs(grad(cross_entropy(x, {-100, -100, -100}), {x}, create_graph)[0])).item() ==
              0);
}

TEST_CASE("the variance of no rows has no elements, and a product of nothing stays in the graph",
          "[grad]") {
    for (const auto& [shape, axis] :
         {std::pair{Shape{0, 3}, 1}, std::pair{Shape{3, 0}, 0}, std::pair{Shape{2, 0, 3}, 2}}) {
        Shape kept = shape;
        kept[axis] = 1;
        CHECK(var(zeros(shape), axis, true).shape() == kept);
        CHECK(stddev(zeros(shape), axis, true).shape() == kept);
        CHECK(mean(zeros(shape), axis, true).shape() == kept);
    }
    Tensor x = zeros({2, 0}).set_requires_grad();
    const Tensor y = prod(x, 1);
    CHECK(y.to_vector() == std::vector<double>{1, 1});
    REQUIRE(y.requires_grad());
    CHECK(grad(sum(y), {x})[0].shape() == Shape{2, 0});
    CHECK(cumprod(x, 1).shape() == Shape{2, 0});
    CHECK_THROWS_AS(reshape(zeros({0, 3}), {0, -1}), Error);
    CHECK(reshape(zeros({0, 3}), {-1, 3}).shape() == Shape{0, 3});
    CHECK(unflatten(zeros({0, 4}), 1, {2, -1}).shape() == Shape{0, 2, 2});
}

TEST_CASE("metrics of nothing", "[data]") {
    CHECK(metrics::word_error_rate("", "") == 0);
    CHECK(metrics::word_error_rate("a", "") == 1);
    CHECK(metrics::word_error_rate("a b c", "") == 3);
    CHECK(metrics::word_error_rate("", "a b") == 1);
    CHECK(std::isnan(metrics::Perplexity{}.value()));
    CHECK(std::isnan(metrics::accuracy(Indices(std::vector<int>{}), Indices(std::vector<int>{}))));
    CHECK(metrics::Bleu{}.score() == 0);
}

}  // namespace
}  // namespace heed
