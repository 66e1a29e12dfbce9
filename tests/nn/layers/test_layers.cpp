#include "nn/nn.h"
#include "tests/autograd/compare.h"

using namespace heed;
using Catch::Matchers::ContainsSubstring;

namespace {

// Values and gradients of layer(x) in float32 are those in float64, up to rounding.
template <Module M, class Call>
void float32_holds(const M& layer, const Tensor& x, Call call) {
    std::vector<Tensor> results[2];  // the value, then the gradients of x and of each parameter
    for (Dtype dtype : {Dtype::float32, Dtype::float64}) {
        M model = copy_model(layer);
        to_dtype(model, dtype);
        const Tensor leaf = to_dtype(detach(x), dtype).set_requires_grad();
        const Tensor y = call(std::as_const(model), leaf);
        std::vector<Tensor> wanted{leaf};
        for (const Parameter& p : parameters(model)) wanted.push_back(p.tensor);
        std::vector<Tensor>& all = results[dtype == Dtype::float64];
        all = grad(weighed(y), wanted);
        all.push_back(detach(y));
    }
    for (std::size_t i = 0; i < results[0].size(); ++i) {
        const double scale = std::max(1.0, max(abs(results[1][i])).item());
        CHECK(largest_difference(to_dtype(results[0][i], Dtype::float64), results[1][i]) <
              1e-5 * scale);
    }
}

}  // namespace

TEST_CASE("layers in float32 are what they are in float64") {
    Rng rng(5);
    const Tensor image = to_dtype(to_dtype(numbers({4, 6, 8, 8}), Dtype::float32), Dtype::float64);
    const auto call = [](const auto& layer, const Tensor& x) { return layer(x); };
    const auto train = [](const auto& layer, const Tensor& x) {
        return layer(x, Mode::training());
    };
    const auto use = [](const auto& layer, const Tensor& x) {
        return layer(x, Mode::evaluation());
    };
    float32_holds(Linear(8, 5, rng), image, call);
    float32_holds(LayerNorm(8), image, call);
    float32_holds(RmsNorm(8, 1e-5), image, call);
    float32_holds(GroupNorm(3, 6), image, call);
    float32_holds(BatchNorm2d(6), image, train);
    float32_holds(BatchNorm2d(6), image, use);
    float32_holds(BatchNorm1d(6), flatten(image, 2), train);
    float32_holds(Conv2d(6, 4, 3, {.stride = 2, .padding = 1, .groups = 2}, rng), image, call);
    float32_holds(Conv1d(6, 4, 5, {.padding = 2}, rng), flatten(image, 2), call);
    float32_holds(Sequential(MaxPool2d{3, {.stride = 2, .padding = 1}}, AvgPool2d{2}, Gelu{}),
                  image, call);
    float32_holds(Sequential(AdaptiveAvgPool2d{2}, Flatten{}, Linear(24, 3, rng), LogSoftmax{}),
                  image, call);
}

TEST_CASE("Linear multiplies by the transposed weight and adds the bias") {
    Rng rng(1);
    Linear layer(3, 2, rng);
    layer.weight.assign(tensor({1, 2, 3, 4, 5, 6}, {2, 3}));
    layer.bias.assign(tensor({10, 20}));
    CHECK(layer(tensor({1, 0, -1, 2, 1, 0}, {2, 3})).to_vector() ==
          std::vector<double>{8, 18, 14, 33});
    CHECK(Linear(3, 2, rng, false).bias.defined() == false);
    CHECK(Linear(3, 2, rng)(zeros({4, 5, 3})).shape() == Shape{4, 5, 2});
    CHECK_THROWS_WITH(
        layer(zeros({4, 2})),
        "Linear: x is [4, 2]; expected x [..., 3]; the layer was made for this width");
    CHECK_THROWS_WITH(Linear()(zeros({4, 2})), ContainsSubstring("construct it with its sizes"));
    CHECK_THROWS_WITH(Linear(0, 2, rng), "Linear: in is 0; expected a positive number");
}

TEST_CASE("the padding row of an Embedding is zero and gets no gradient") {
    Rng rng(1);
    Embedding table(4, 2, rng, 0);
    CHECK(sum(abs(select(table.weight, 0, 0))).item() == 0);
    const Tensor y = table(Indices({0, 2, 3, 0, 2, 2}, {2, 3}));
    CHECK(y.shape() == Shape{2, 3, 2});
    backward(sum(y));
    CHECK(table.weight.grad().to_vector() == std::vector<double>{0, 0, 0, 0, 3, 3, 1, 1});

    Embedding free(4, 2, rng);
    backward(sum(free({0, 0, 1})));
    CHECK(free.weight.grad().to_vector() == std::vector<double>{2, 2, 1, 1, 0, 0, 0, 0});
    CHECK_THROWS_WITH(Embedding(4, 2, rng, 4),
                      "Embedding: the padding id 4 is outside a vocabulary of 4");
    CHECK_THROWS_AS(table({4}), Error);
    CHECK_THROWS_AS(table({-1}), Error);
}

TEST_CASE("LayerNorm gives each row mean 0 and variance 1, then scales and shifts") {
    LayerNorm norm(4);
    norm.weight.assign(full({4}, 2));
    norm.bias.assign(ones({4}));
    const Tensor y = norm(tensor({1, 2, 3, 4, -7, 0, 0, 7}, {2, 4}));
    CHECK(mean(select(y, 0, 0)).item() == Approx(1));
    CHECK(var(select(y, 0, 1), {}, false, 0).item() == Approx(4).epsilon(1e-4));
    CHECK_THROWS_WITH(norm(zeros({2, 3})), "LayerNorm: x is [2, 3]; expected x [..., 4]");
}

TEST_CASE("Dropout drops a share p in training, nothing in evaluation") {
    const Dropout dropout(0.25);
    const Tensor x = ones({200, 100});
    CHECK(largest_difference(dropout(x, Mode::evaluation()), x) == 0);
    Rng rng(1);
    const Tensor y = dropout(x, Mode::training(rng));
    int64_t dropped = 0;
    for (double value : y.to_vector()) {
        CHECK((value == 0 || std::abs(value - 4.0 / 3) < 1e-6));
        dropped += value == 0;
    }
    CHECK(dropped / 20000.0 == Approx(0.25).margin(4 * std::sqrt(0.25 * 0.75 / 20000)));
    CHECK(mean(y).item() == Approx(1).margin(0.02));
    Rng same(1), other(2);
    CHECK(largest_difference(dropout(x, Mode::training(same)), y) == 0);
    CHECK(largest_difference(dropout(x, Mode::training(other)), y) > 0);
    CHECK_THROWS_WITH(Dropout(1), "Dropout: p is 1; expected at least 0 and less than 1");
}

TEST_CASE("a layer that differs in training and evaluation wants to know which it is", "[errors]") {
    const Tensor x = ones({4, 3});
    CHECK_THROWS_WITH(Dropout(0.5)(x),
                      "Dropout: training or evaluation? They differ in this layer, so pass "
                      "Mode::training(rng) or Mode::evaluation()");
    CHECK_THROWS_WITH(Dropout(0.5)(x, Mode::training()),
                      "Dropout: random numbers are needed here, so pass Mode::training(rng)");
    CHECK_NOTHROW(Dropout(0)(x));
    CHECK_THROWS_WITH(BatchNorm(3)(x, {}), ContainsSubstring("BatchNorm: training or evaluation?"));
    Rng rng(1);
    CHECK_THROWS_WITH(Gru(3, 2, {.layers = 2, .dropout = 0.5}, rng)(ones({1, 2, 3})),
                      ContainsSubstring("Dropout: training or evaluation?"));
}

TEST_CASE("RmsNorm divides by the root mean square") {
    RmsNorm norm(2);
    norm.weight.assign(tensor({1, 10}));
    const Tensor y = norm(tensor({3, 4, 0, 2}, {2, 2}));
    CHECK(y.at({0, 0}) == Approx(3 / std::sqrt(12.5)));
    CHECK(y.at({0, 1}) == Approx(40 / std::sqrt(12.5)));
    CHECK(y.at({1, 1}) == Approx(10 * std::sqrt(2)));
    CHECK(parameter_count(norm) == 2);
    CHECK_THROWS_WITH(norm(zeros({2, 3})), "RmsNorm: x is [2, 3]; expected x [..., 2]");
}

TEST_CASE("GroupNorm normalises each group of channels of each example") {
    GroupNorm norm(2, 4);
    to_dtype(norm, Dtype::float64);
    const Tensor z = norm(numbers({3, 4, 5}) * 3.0 + 2.0);
    for (int b = 0; b < 3; ++b)
        for (int g = 0; g < 2; ++g) {
            const Tensor group = slice(select(z, 0, b), 0, 2 * g, 2 * g + 2);
            CHECK(mean(group).item() == Approx(0).margin(1e-12));
            CHECK(var(group, {}, false, 0).item() == Approx(1).epsilon(1e-4));
        }
    CHECK_THROWS_WITH(GroupNorm(3, 4), "GroupNorm: 3 groups do not divide 4 channels");
    CHECK_THROWS_WITH(norm(zeros({2, 3, 4})), "GroupNorm: x is [2, 3, 4]; expected x [B, 4, ...]");
}

TEST_CASE("BatchNorm normalises by the batch in training, by running averages in evaluation") {
    BatchNorm2d norm(3);
    const Tensor x = to_dtype(numbers({5, 3, 2, 4}), Dtype::float32) * 2.0 + 1.0;
    const Tensor y = norm(x, Mode::training());
    for (int c = 0; c < 3; ++c) {
        const Tensor channel = select(y, 1, c), before = select(x, 1, c);
        CHECK(mean(channel).item() == Approx(0).margin(1e-6));
        CHECK(var(channel, {}, false, 0).item() == Approx(1).epsilon(1e-4));
        CHECK(norm.running_mean.at({c}) == Approx(0.1 * mean(before).item()));
        CHECK(norm.running_var.at({c}) == Approx(0.9 + 0.1 * var(before).item()));
    }
    CHECK(norm.num_batches_tracked.item() == 1);

    // Evaluation changes nothing, and treats each example alone.
    const std::vector<double> running = norm.running_mean.to_vector();
    const Tensor all = norm(x, Mode::evaluation());
    const Tensor one = norm(slice(x, 0, 0, 1), Mode::evaluation());
    CHECK(largest_difference(slice(all, 0, 0, 1), one) == 0);
    CHECK(norm.running_mean.to_vector() == running);
    for (int i = 0; i < 200; ++i) norm(x, Mode::training());
    CHECK(largest_difference(norm(x, Mode::evaluation()), y) < 0.05);

    CHECK_THROWS_WITH(norm(zeros({5, 3}), Mode::training()),
                      "BatchNorm2d: x is [5, 3]; expected x [B, C, H, W]");
    CHECK_THROWS_WITH(norm(zeros({5, 2, 1, 1}), Mode::training()),
                      "BatchNorm2d: BatchNorm: x is [5, 2, 1, 1]; expected x [B, 3, ...]");
    CHECK_THROWS_WITH(BatchNorm1d(3)(zeros({1, 3}), Mode::training()),
                      "BatchNorm1d: BatchNorm: [1, 3] has 1 value for each channel; training needs "
                      "two or more");
    CHECK_THROWS_WITH(BatchNorm1d(3)(zeros({1, 3, 2, 2}), Mode::training()),
                      "BatchNorm1d: x is [1, 3, 2, 2]; expected x [B, C] or [B, C, T]");
}

TEST_CASE("Conv1d and Conv2d have PyTorch's shapes and initial values") {
    Rng rng(1);
    const Conv2d conv(4, 8, {3, 5}, {.stride = 2, .padding = {1, 2}, .groups = 2}, rng);
    CHECK(conv.weight.shape() == Shape{8, 2, 3, 5});
    CHECK(conv.bias.shape() == Shape{8});
    const double bound = 1 / std::sqrt(30);
    CHECK(max(abs(conv.weight)).item() <= bound);
    CHECK(max(abs(conv.weight)).item() > 0.95 * bound);
    CHECK(conv(zeros({2, 4, 9, 10})).shape() == Shape{2, 8, 5, 5});
    CHECK_THROWS_WITH(conv(zeros({2, 2, 9, 10})),
                      "Conv2d: x is [2, 2, 9, 10]; expected x [B, 4, H, W]");
    CHECK_THROWS_WITH(Conv2d(4, 6, 3, {.groups = 4}, rng),
                      "Conv2d: 4 groups do not divide 4 input and 6 output channels");
    CHECK_THROWS_WITH(Conv2d()(zeros({2, 2, 9, 10})), ContainsSubstring("construct it"));

    const Conv1d sequence(3, 5, 4, {.padding = 1}, rng, false);
    CHECK(sequence.weight.shape() == Shape{5, 3, 4});
    CHECK(!sequence.bias.defined());
    CHECK(sequence(zeros({2, 3, 7})).shape() == Shape{2, 5, 6});
    CHECK_THROWS_WITH(sequence(zeros({2, 4, 7})), "Conv1d: x is [2, 4, 7]; expected x [B, 3, T]");
}

TEST_CASE("Sequential calls its layers in order, under PyTorch's names") {
    Rng rng(1);
    Sequential net(Conv2d(1, 4, 3, {.padding = 1}, rng), BatchNorm2d(4), Relu{}, MaxPool2d{2},
                   Flatten{}, Dropout(0.5), Linear(16, 3, rng),
                   [](const Tensor& x) { return x * 2.0; });
    std::vector<std::string> names;
    for (const Parameter& p : saved_tensors(net)) names.push_back(p.name);
    CHECK(names == std::vector<std::string>{"0.weight", "0.bias", "1.weight", "1.bias",
                                            "1.running_mean", "1.running_var",
                                            "1.num_batches_tracked", "6.weight", "6.bias"});
    CHECK(parameters(net).size() == 6);
    CHECK(buffers(net).size() == 3);

    const Tensor x = to_dtype(numbers({5, 1, 4, 4}), Dtype::float32);
    auto& conv = *net.layers[0].get<Conv2d>();
    auto& norm = *net.layers[1].get<BatchNorm2d>();
    auto& dense = *net.layers[6].get<Linear>();
    CHECK(net.layers[6].get<Conv2d>() == nullptr);
    const Mode mode = Mode::evaluation();
    const Tensor by_hand = dense(flatten(max_pool2d(relu(norm(conv(x), mode)), 2), 1)) * 2.0;
    CHECK(largest_difference(net(x, mode), by_hand) == 0);
    CHECK(net(x, Mode::training(rng)).shape() == Shape{5, 3});
    CHECK_THROWS_WITH(
        net(x), ContainsSubstring("layer 1: BatchNorm2d: BatchNorm: training or evaluation?"));
    CHECK_THROWS_WITH(net(zeros({2, 1, 6, 6}), mode),
                      "Sequential: layer 6: Linear: x is [2, 36]; expected x [..., 16]; the "
                      "layer was made for this width");

    // Copies share parameters; copy_model makes new ones.
    const Sequential shared = net, own = copy_model(net);
    dense.bias.assign(full({3}, 7));
    CHECK(largest_difference(shared(x, mode), net(x, mode)) == 0);
    CHECK(largest_difference(own(x, mode), net(x, mode)) > 1);

    // Sequences in sequences, and made at run time.
    Sequential outer(net, Tanh{});
    CHECK(parameters(outer)[0].name == "0.0.weight");
    outer.layers.emplace_back(Linear(3, 1, rng));
    CHECK(outer(x, mode).shape() == Shape{5, 1});
}

TEST_CASE("initialisers have the spread they promise") {
    Rng rng(4);
    const auto deviation = [](const Tensor& x) { return std::sqrt(mean(square(x)).item()); };
    const auto largest = [](const Tensor& x) { return max(abs(x)).item(); };
    const Shape shape{300, 200};  // fan_in 200, fan_out 300
    CHECK(deviation(xavier_uniform(shape, rng)) == Approx(std::sqrt(2.0 / 500)).epsilon(0.02));
    CHECK(deviation(xavier_normal(shape, rng, 3)) ==
          Approx(3 * std::sqrt(2.0 / 500)).epsilon(0.02));
    CHECK(deviation(kaiming_uniform(shape, rng)) == Approx(std::sqrt(2.0 / 200)).epsilon(0.02));
    CHECK(deviation(kaiming_normal(shape, rng, 1)) == Approx(std::sqrt(1.0 / 200)).epsilon(0.02));
    CHECK(largest(xavier_uniform(shape, rng)) <= std::sqrt(6.0 / 500));
    CHECK(deviation(kaiming_normal({30, 20, 10}, rng, 1)) ==
          Approx(std::sqrt(1.0 / 200)).epsilon(0.05));
    const Linear layer(16, 400, rng);
    CHECK(largest(layer.weight) <= 0.25);
    CHECK(largest(layer.weight) > 0.24);
    CHECK(largest(layer.bias) > 0.24);
    const RecurrentCell cell(CellKind::gru, 9, 16, rng);
    CHECK(largest(cell.weight_ih) <= 0.25);
    CHECK(largest(cell.weight_ih) > 0.24);
    CHECK_THROWS_WITH(xavier_uniform({3}, rng),
                      "xavier_uniform: a weight needs at least 2 axes, [Out, In], got [3]");
}

TEST_CASE("orthogonal gives orthonormal rows or columns") {
    Rng rng(4);
    for (const Shape& shape : {Shape{4, 9}, Shape{9, 4}, Shape{5, 5}}) {
        const Tensor w = orthogonal(shape, rng, 2, Dtype::float64);
        const Tensor product =
            shape[0] <= shape[1] ? matmul(w, transpose(w)) : matmul(transpose(w), w);
        CHECK(largest_difference(product, eye(product.size(0), Dtype::float64) * 4) < 1e-12);
    }
}
