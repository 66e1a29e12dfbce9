// A model made on one thread and used on another: the graph is as good as on one thread.
#include <thread>

#include "tests/autograd/oracle.h"

namespace heed {
namespace {

template <class F>
void on_another_thread(F f) {
    std::thread(f).join();
}

// Uses up node numbers and passes of this thread.
void count_up(int nodes) {
    Tensor x = scalar(1, Dtype::float64).set_requires_grad(), y = x;
    for (int i = 0; i < nodes; ++i) y = y * 1.0;
    for (int i = 0; i < nodes; ++i) grad(y, {x});
}

TEST_CASE("the graph of a model that another thread made has all gradients") {
    for (const auto& [here, there] : {std::pair(100, 0), std::pair(0, 100), std::pair(7, 7)}) {
        INFO(here << " nodes made here before, " << there << " on the other thread");
        count_up(here);
        Tensor w = tensor({3}, Dtype::float64).set_requires_grad();
        on_another_thread([&, extra = there] {
            count_up(extra);
            const Tensor x = tensor({2}, Dtype::float64).set_requires_grad();
            const Tensor y = exp(w * x);
            require_close(grad(y, {w})[0], {2 * std::exp(6)}, 1e-14);
            require_close(grad(y, {x, w})[0], {3 * std::exp(6)}, 1e-14);
            backward(y);
            require_close(w.grad(), {2 * std::exp(6)}, 1e-14);
            w.clear_grad();
        });
        require_close(grad(w * w, {w})[0], {6}, 0);
    }
}

TEST_CASE("a graph may go on on another thread, and come back") {
    Tensor w = tensor({3}, Dtype::float64).set_requires_grad();
    count_up(50);
    Tensor h = w * w, y;
    on_another_thread([&] {
        y = exp(h) + h;  // numbered after h, whatever this thread has counted so far
        require_close(grad(y, {w})[0], {6 * (std::exp(9) + 1)}, 1e-13);
        require_close(grad(y, {h})[0], {std::exp(9) + 1}, 1e-13);
    });
    const Tensor z = y * h;
    require_close(grad(z, {h})[0], {(std::exp(9) + 1) * 9 + std::exp(9) + 9}, 1e-13);
    backward(z);
    require_close(w.grad(), {6 * ((std::exp(9) + 1) * 9 + std::exp(9) + 9)}, 1e-13);
}

TEST_CASE("a pass of one thread does not take the marks of another thread's pass for its own") {
    Tensor v = tensor({2}, Dtype::float64).set_requires_grad();
    Tensor w = tensor({3}, Dtype::float64).set_requires_grad();
    const Tensor y = exp(v) * w;
    // Each is its thread's first pass. The first marks exp(v) as leading to no target.
    on_another_thread([&] { require_close(grad(y, {w})[0], {std::exp(2)}, 1e-14); });
    on_another_thread([&] { require_close(grad(y, {v})[0], {3 * std::exp(2)}, 1e-14); });
    on_another_thread([&] { require_close(grad(y, {w})[0], {std::exp(2)}, 1e-14); });
}

TEST_CASE("checkpoint finds the leaves that another thread made") {
    count_up(100);
    Tensor w = tensor({3}, Dtype::float64).set_requires_grad();
    on_another_thread([&] {
        Tensor x = tensor({2}, Dtype::float64).set_requires_grad();
        const Tensor y = checkpoint([&](const std::vector<Tensor>& in) { return in[0] * w; }, {x});
        require_close(grad(y, {w})[0], {2}, 0);
        const Tensor inner = w * 2.0;
        CHECK_THROWS_WITH(
            checkpoint([&](const std::vector<Tensor>& in) { return in[0] * inner; }, {x}),
            Catch::Matchers::ContainsSubstring("checkpoint: f uses the result of 'mul'"));
    });
}

}  // namespace
}  // namespace heed
