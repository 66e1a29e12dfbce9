#include "lessons/w1_caches/experiment.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "autograd/autograd.h"

namespace heed::workshop1 {

using namespace course;

using Clock = std::chrono::steady_clock;

std::vector<Result> measure_speed(const std::vector<Method>& methods, int n, int repetitions,
                                  std::uint64_t seed) {
    Rng rng(seed);
    const Tensor a = normal({n, n}, 0, 1, rng), b = normal({n, n}, 0, 1, rng);
    const Tensor truth = matmul(a, b);
    Tensor c = zeros({n, n});
    const auto multiply = [&](Product* product) {
        if (product)
            product(a.data<float>(), b.data<float>(), c.edit<float>(), n);
        else
            c = matmul(a, b);
    };

    const int threads_before = threads();
    set_threads(1);
    std::vector<double> seconds(methods.size(), 1e9);
    for (int repetition = 0; repetition < repetitions; ++repetition) {
        for (std::size_t i = 0; i < methods.size(); ++i) {
            const int repeats = seconds[i] < 0.01 ? 5 : 1;
            for (int again = 0; again < repeats; ++again) {
                const Clock::time_point start = Clock::now();
                multiply(methods[i].product);
                const std::chrono::duration<double> passed = Clock::now() - start;
                seconds[i] = std::min(seconds[i], passed.count());
            }
        }
    }
    set_threads(threads_before);

    std::vector<Result> results;
    for (std::size_t i = 0; i < methods.size(); ++i) {
        multiply(methods[i].product);
        results.push_back(
            {2e-9 * n * n * n / seconds[i], (max(abs(c - truth)) / max(abs(truth))).item()});
    }
    return results;
}

// --- the six orders -----------------------------------------------------------------------------

namespace {

// The loops run over i (0), j (1) and k (2), in the given order. The innermost line is the same in
// all six programs.
template <int outer, int middle, int inner>
void three_loops(const float* __restrict a, const float* __restrict b, float* __restrict c, int n) {
    std::fill_n(c, n * n, 0.0f);
    int at[3], &i = at[0], &j = at[1], &k = at[2];
    for (at[outer] = 0; at[outer] < n; ++at[outer])
        for (at[middle] = 0; at[middle] < n; ++at[middle])
            for (at[inner] = 0; at[inner] < n; ++at[inner])
                c[i * n + j] += a[i * n + k] * b[k * n + j];
}

}  // namespace

const std::vector<Method>& six_orders() {
    static const std::vector<Method> orders{
        {"i j k", three_loops<0, 1, 2>}, {"j i k", three_loops<1, 0, 2>},
        {"i k j", three_loops<0, 2, 1>}, {"k i j", three_loops<2, 0, 1>},
        {"j k i", three_loops<1, 2, 0>}, {"k j i", three_loops<2, 1, 0>}};
    return orders;
}

OrderResult show_six_orders(AtCall lesson, int n, const std::vector<double>& lines,
                            const std::vector<int>& groups) {
    const std::vector<Method>& orders = six_orders();
    const std::vector<Result> results = measure_speed(orders, n, 3, lesson->seed());
    const std::vector<Result> larger = measure_speed(orders, n + 8, 3, lesson->seed());
    Table table(
        {"loops", "lines a step", fmt::format("GFLOP/s at {}", n), fmt::format("at {}", n + 8)});
    std::vector<double> speed;
    for (std::size_t i = 0; i < orders.size(); ++i) {
        speed.push_back(results[i].gflops);
        table.row(orders[i].name, lines[i], number(speed[i], 3), number(larger[i].gflops, 3));
    }
    lesson->table(table, "The same arithmetic in six orders, outermost loop first, on one core.");
    const double slowest = *std::min_element(speed.begin(), speed.end());
    const double along_rows = std::min(speed[2], speed[3]), fastest = std::max(speed[2], speed[3]);
    const double others = std::max({speed[0], speed[1], speed[4], speed[5]});
    const double time = larger[5].gflops / speed[5] / std::pow(1 + 8. / n, 3);
    lesson->say(
        "At size {}, the fastest order is {} times as fast as the slowest. The slower of the two "
        "orders along j is {} times as fast as the best of the four others.",
        n, number(fastest / slowest, 3), number(along_rows / others, 3));
    lesson->say(
        "The numbers of a column share {} of 64 groups of slots at size {}, and {} at size {}. In "
        "the order k j i, a product of size {} takes {} times as many seconds as one of size {}.",
        groups[0], n, groups[1], n + 8, n, number(time, 3), n + 8);
    return {fastest / slowest, 1 / time};
}

ProductResult show_products(AtCall lesson, const std::vector<Method>& products, int n) {
    const std::vector<Result> results = measure_speed(products, n, 5, lesson->seed());
    Table table({"product", fmt::format("GFLOP/s at {}", n), "times the first"});
    LinePlot plot{.x_label = "n", .y_label = "GFLOP/s", .log_x = true, .log_y = true};
    ProductResult result{};
    for (std::size_t i = 0; i < products.size(); ++i) {
        result.gain = results[i].gflops / results[0].gflops;
        table.row(products[i].name, number(results[i].gflops, 3), number(result.gain, 3));
        plot.series.push_back({products[i].name});
        result.error = std::max(result.error, results[i].error);
    }
    lesson->table(table, "Four ways to multiply two matrices, on one core.");
    for (int size = 64; size <= (lesson->quick() ? n : 2 * n); size *= 2) {
        const std::vector<Result> here = measure_speed(products, size, 2, lesson->seed());
        for (std::size_t i = 0; i < products.size(); ++i) {
            plot.series[i].x.push_back(size);
            plot.series[i].y.push_back(here[i].gflops);
        }
    }
    lesson->show("four_products", plot,
                 "Speed against size, both axes logarithmic. Where lines "
                 "cover each other, the last one is seen.");
    return result;
}

}  // namespace heed::workshop1
