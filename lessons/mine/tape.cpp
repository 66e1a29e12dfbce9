// ./heed learn gradient_check --mine: a thousand random expressions on the reader's tapes, whose gradients are
// compared with finite differences: of numbers (exercise {autograd.1}), of tensors that are broadcast
// (exercise {autograd.2}) and of matrices (exercise {autograd.3}).
//
// This file is compiled after the namespaces of the parts (parts.h).
#include <functional>
#include <vector>

#include "autograd/autograd.h"
#include "lessons/mine/program.h"

namespace heed::mine {
namespace {

// A value that can be computed from inputs again and again, and its gradients by a tape.
struct Expression {
    std::vector<Tensor> inputs;  // float64
    std::function<std::vector<Tensor>(const std::vector<Tensor>& inputs, double& value)> gradients;
};

// How far the gradient is from central differences, in a random direction; relative above 1.
double distance(const Expression& f, Rng& rng) {
    double value = 0, above = 0, below = 0, expected = 0;
    const std::vector<Tensor> found = f.gradients(f.inputs, value);
    std::vector<Tensor> up, down;
    constexpr double step = 1e-5;
    for (std::size_t i = 0; i < f.inputs.size(); ++i) {
        const Tensor direction = normal_like(f.inputs[i], 0, 1, rng);
        up.push_back(f.inputs[i] + step * direction);
        down.push_back(f.inputs[i] - step * direction);
        if (found[i].shape() != f.inputs[i].shape()) return 1;
        expected += sum(found[i] * direction).item();
    }
    f.gradients(up, above);
    f.gradients(down, below);
    const double difference = (above - below) / (2 * step) - expected;
    return std::abs(difference) / std::max(1.0, std::abs(expected));
}

// Six random steps with the tape of numbers. Logarithm and quotient are taken of what is positive.
Expression of_numbers(Rng& rng) {
    namespace part = part_logarithm;
    const std::uint64_t plan = static_cast<std::uint64_t>(rng.below(1'000'000'000));
    return {{uniform({3}, 0.5, 2, rng, Dtype::float64)},
            [plan](const std::vector<Tensor>& in, double& value) {
                Rng choice(plan);
                part::Tape tape;
                std::vector<part::Taped> all;
                for (int i = 0; i < 3; ++i) all.push_back({&tape, in[0].at({i}), tape.write()});
                const auto any = [&] {
                    return all[static_cast<std::size_t>(
                        choice.below(static_cast<int64_t>(all.size())))];
                };
                const part::Taped one{&tape, 1, tape.write()};
                for (int n = 0; n < 6; ++n) {
                    const part::Taped a = any(), b = any();
                    const part::Taped positive = b * b + one;
                    switch (choice.below(4)) {
                        case 0:
                            all.push_back(a + b);
                            break;
                        case 1:
                            all.push_back(a * b);
                            break;
                        case 2:
                            all.push_back(part::my_log(positive));
                            break;
                        default:
                            all.push_back(part::my_divide(a, positive));
                            break;
                    }
                }
                value = all.back().value;
                const std::vector<double> g = tape.backward(all.back().line);
                return std::vector{tensor({g[0], g[1], g[2]}, {3}, Dtype::float64)};
            }};
}

// Sums and products of a tape of tensors: `next` makes one more of those that are there. The value is a
// weighted sum of the last one.
template <class Tape, class Taped, class Next>
std::vector<Tensor> on_tape(const std::vector<Tensor>& in, double& value, std::uint64_t plan,
                            const Next& next) {
    Rng choice(plan);
    Tape tape;
    std::vector<Taped> all;
    for (const Tensor& x : in) all.push_back({&tape, x, tape.write(x)});
    for (int n = 0; n < 4; ++n) all.push_back(next(all, choice));
    const Tensor y = all.back().value, weights = normal_like(y, 0, 1, choice);
    value = sum(y * weights).item();
    std::vector<Tensor> g = tape.backward(all.back().line, weights);
    g.resize(in.size());
    return g;
}

Expression of_broadcast_tensors(Rng& rng) {
    namespace part = part_broadcasting_rule;
    const std::uint64_t plan = static_cast<std::uint64_t>(rng.below(1'000'000'000));
    Expression f;
    for (const Shape& shape : {Shape{2, 3, 4}, Shape{3, 1}, Shape{4}, Shape{2, 1, 4}})
        f.inputs.push_back(normal(shape, 0, 1, rng, Dtype::float64));
    f.gradients = [plan](const std::vector<Tensor>& in, double& value) {
        return on_tape<part::Tape, part::Taped>(
            in, value, plan, [](const std::vector<part::Taped>& all, Rng& choice) {
                const auto count = static_cast<int64_t>(all.size());
                const part::Taped &a = all.back(),
                                  &b = all[static_cast<std::size_t>(choice.below(count))];
                return choice.below(2) == 0 ? a + b : part::my_multiply(a, b);
            });
    };
    return f;
}

Expression of_matrices(Rng& rng) {
    namespace part = part_matrix_product;
    const std::uint64_t plan = static_cast<std::uint64_t>(rng.below(1'000'000'000));
    Expression f;
    for (const Shape& shape : {Shape{3, 3}, Shape{2, 3, 3}, Shape{1, 3}})
        f.inputs.push_back(normal(shape, 0, 0.7, rng, Dtype::float64));
    f.gradients = [plan](const std::vector<Tensor>& in, double& value) {
        return on_tape<part::Tape, part::Taped>(
            in, value, plan, [](const std::vector<part::Taped>& all, Rng& choice) {
                const part::Taped &a = all.back(),
                                  &b = all[static_cast<std::size_t>(choice.below(2))];
                return choice.below(3) == 0 ? a + b : part::my_matmul(a, b);
            });
    };
    return f;
}

int check_all(const Options& given) {
    Rng rng(static_cast<std::uint64_t>(whole(given, "--seed")));
    const int count = whole(given, "--expressions");
    course::Table table({"tape of", "expressions", "wrong gradients", "largest distance"});
    int wrong = 0;
    const auto run = [&](const char* what, int n, Expression (*make)(Rng&)) {
        int bad = 0;
        double largest = 0;
        for (int i = 0; i < n; ++i) {
            const double off = distance(make(rng), rng);
            bad += !(off < 1e-6);
            largest = std::max(largest, off);
        }
        table.row(what, n, bad, course::number(largest, 2));
        wrong += bad;
    };
    run("numbers", count - 2 * (count / 3), of_numbers);
    run("tensors that are broadcast", count / 3, of_broadcast_tensors);
    run("matrices", count / 3, of_matrices);
    fmt::print("Gradients of random expressions, by your tapes and by finite differences:\n\n{}\n",
               table.to_text(course::screen_of_stdout()));
    for (const Part& part : parts)
        say("  {}, exercise {}: written by {}\n", part.what, part.exercise,
            part.reader ? "you" : "heed");
    milestone("tape", fmt::format("a tape passes {} random gradient checks", count),
              wrong == 0 && count >= 1000, fmt::format("{} of {} right", count - wrong, count));
    return wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace heed::mine

int main(int argc, char** argv) {
    return heed::mine::run_own_program(
        [&] { return heed::mine::check_all(heed::mine::read_options("tape", argc, argv)); });
}
