// The kernels take their sizes from the caches (autograd/kernels/machine.h). On a machine with tiny caches,
// with huge ones, and with a second cache of odd size, they must compute the same as their definitions.
#include <vector>

#include "attention/fused/scaled_dot_product.h"
#include "autograd/backward/backward.h"
#include "autograd/base/parallel.h"
#include "autograd/kernels/machine.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/elementwise/unary.h"
#include "autograd/ops/product/convolution.h"
#include "autograd/ops/product/matmul.h"
#include "autograd/ops/product/quantised_matrix.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/tensor/random.h"
#include "tests/catch.h"

using namespace heed;

namespace {

constexpr int64_t kib = 1 << 10, mib = 1 << 20;
const std::vector<Machine> machines{
    {8 * kib, 8 * kib, 8 * kib}, {32 * kib, 300 * kib, mib}, {256 * mib, 256 * mib, 4096 * mib}};

double largest_difference(const Tensor& x, const Tensor& y) { return max(abs(x - y)).item(); }

// The result and the gradients of `inputs` against a gradient that is drawn.
template <class F>
std::vector<Tensor> with_gradients(const std::vector<Tensor>& inputs, const F& f) {
    const Tensor y = f();
    Rng rng(7);
    std::vector<Tensor> all = grad(sum(y * normal(y.shape(), 0, 1, rng, y.dtype())), inputs);
    all.push_back(detach(y));
    return all;
}

}  // namespace

TEST_CASE("the sizes that follow from a machine stay in their bounds and grow with its caches",
          "[kernels]") {
    const Machine &tiny = machines[0], &huge = machines[2];
    CHECK(tiny.slice_depth(256) == 256);
    CHECK(huge.slice_depth(256) == 1024);
    CHECK(Machine().slice_depth(64 * sizeof(float)) == 1024);
    CHECK(Machine().slice_depth(192 * sizeof(float)) == 341);
    CHECK(tiny.row_block(4096) == 256);
    CHECK(Machine().row_block(4096) == 512);
    CHECK(huge.row_block(4096) == 4096);
    CHECK(tiny.panels_together(24 * kib) == 1);
    CHECK(Machine().panels_together(24 * kib) == 10);
    CHECK(tiny.attention_keys() == 64);
    CHECK(Machine{32 * kib, 512 * kib, mib}.attention_keys() == 256);
    CHECK(Machine{32 * kib, 256 * kib, mib}.attention_keys() == 128);
    CHECK(huge.attention_keys() == 256);
    CHECK(Machine().convolution_outputs(64, 4) == 512);
    CHECK(tiny.convolution_outputs(1000, 8) == 128);
    CHECK(Machine().unpacked_rows(4096) == 128);
    CHECK(Machine().comes_from_afar(mib + 1));
    CHECK_FALSE(Machine().comes_from_afar(mib));

    const int64_t before = machine().second_cache;
    {
        const OtherMachine other(tiny);
        CHECK(machine().second_cache == tiny.second_cache);
    }
    CHECK(machine().second_cache == before);
}

TEST_CASE("products and convolutions and attention are right on machines with other caches",
          "[kernels][oracle]") {
    Rng rng(5);
    const auto drawn = [&](const Shape& shape) {
        return normal(shape, 0, 1, rng, Dtype::float64).set_requires_grad();
    };
    const Tensor a = drawn({270, 700}), b = drawn({700, 80}), bt = drawn({80, 700});
    const Tensor picture = drawn({2, 9, 20, 17}), kernel = drawn({7, 9, 3, 3});
    const Tensor q = drawn({1, 2, 150, 10}), k = drawn({1, 2, 330, 10}), v = drawn({1, 2, 330, 6});
    const AttentionCall causal{.causal = true};
    const auto product = [&] { return matmul(a, b); };
    const auto turned = [&] { return matmul(a, transpose(bt)); };
    const auto convolution = [&] { return conv2d(picture, kernel); };
    const auto attention = [&] { return scaled_dot_product_attention(q, k, v, causal); };
    for (const Machine& other : machines) {
        INFO(other.first_cache << ", " << other.second_cache << ", " << other.third_cache);
        const auto same = [&](const std::vector<Tensor>& inputs, const auto& fast,
                              const auto& definition) {
            const std::vector<Tensor> expected = with_gradients(inputs, definition);
            const OtherMachine thought(other);
            std::vector<Tensor> one_thread;
            for (const int threads : {1, 2}) {
                const int before = heed::threads();
                set_threads(threads);
                const std::vector<Tensor> found = with_gradients(inputs, fast);
                set_threads(before);
                for (std::size_t i = 0; i < expected.size(); ++i)
                    CHECK(largest_difference(found[i], expected[i]) < 1e-11);
                if (threads == 1)
                    one_thread = found;
                else
                    for (std::size_t i = 0; i < found.size(); ++i)
                        CHECK((found[i].to_vector() == one_thread[i].to_vector()));
            }
        };
        // As on this machine, which other tests hold.
        same({a, b}, product, product);
        same({a, bt}, turned, turned);
        same({picture, kernel}, convolution, convolution);
        same({q, k, v}, attention,
             [&] { return scaled_dot_product_definition(q, k, v, causal).context; });
    }
}

TEST_CASE("quantised products are the same on machines with other caches", "[kernels]") {
    Rng rng(6);
    const Tensor w = normal({200, 96}, 0, 1, rng), x = normal({20, 96}, 0, 1, rng);
    const QuantisedMatrix quantised = quantise(w, BlockFormat::q8_0);
    const Tensor expected = linear(x, quantised);
    for (const Machine& other : machines) {
        const OtherMachine thought(other);
        CHECK(largest_difference(linear(x, quantised), expected) < 1e-4);
    }
}
