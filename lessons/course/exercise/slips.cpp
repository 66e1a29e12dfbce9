#include "lessons/course/exercise/slips.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "autograd/ops/ops.h"

namespace heed::course {

bool same_number(double a, double b, double tolerance) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    if (std::isinf(a) || std::isinf(b)) return a == b;
    return std::abs(a - b) <= tolerance;
}

int64_t first_difference(const std::vector<double>& a, const std::vector<double>& b,
                         double tolerance) {
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!same_number(a[i], b[i], tolerance)) return static_cast<int64_t>(i);
    return -1;
}

bool same(const Tensor& a, const Tensor& b, double tolerance) {
    return a.shape() == b.shape() && first_difference(a.to_vector(), b.to_vector(), tolerance) < 0;
}

double scale_of(const std::vector<double>& numbers) {
    double largest = 1;
    for (double number : numbers)
        if (std::isfinite(number)) largest = std::max(largest, std::abs(number));
    return largest;
}

std::string factor_text(double factor) {
    std::string text;
    for (int digits = 4; digits < 17; ++digits) {
        text = fmt::format("{:.{}g}", factor, digits);
        if (text != "1" && text != "-1") break;
    }
    return text;
}

namespace {

bool near(double a, double b) { return std::abs(a - b) <= 1e-5 * std::abs(b); }

// The whole number that this is, such as a width of an example; 0 if it is none.
int whole(double x) {
    const double n = std::round(x);
    return n >= 2 && n <= 64 && near(x, n) ? static_cast<int>(n) : 0;
}

// The factors that are known in these tasks: the width of an example, or its root.
std::string about_factor(double factor) {
    const auto named = [](int n) {
        return n > 8 ? std::to_string(n) : fmt::format("{}, the root of {},", n, n * n);
    };
    if (const int n = whole(factor)) return fmt::format(" Is a division by {} missing?", named(n));
    if (const int n = whole(1 / factor))
        return fmt::format(" Is there a division by {} too many?", named(n));
    if (const int n = whole(factor * factor))
        return fmt::format(" Is a division by the root of {} missing?", n);
    if (const int n = whole(1 / (factor * factor)))
        return fmt::format(" Is there a division by the root of {} too many?", n);
    return "";
}

std::string along(const Tensor& x, int axis) {
    return x.dim() == 1 ? "" : fmt::format(" along axis {}", axis);
}

// Whether these are weights, which are not negative and sum to 1 along this axis.
bool are_weights(const Tensor& x, int axis) {
    if (x.size(axis) < 2 || min(x).item() < 0) return false;
    const Tensor sums = sum(x, axis);
    return same(sums, ones_like(sums), 1e-5);
}

// The scores of which these are the softmax, with the mean 0; 0 where the weight is 0.
Tensor scores_of(const Tensor& weights, int axis) {
    const Tensor some = to_dtype(weights > 0, weights.dtype()),
                 scores = log(where(some, weights, 1.0)),
                 middle = sum(scores, axis, true) / sum(some, axis, true);
    return (scores - middle) * some;
}

// Weights of a softmax: along another axis, not divided by their sum, or of other scores.
std::string slip_of_weights(const Tensor& found, const Tensor& expected, double tolerance) {
    for (int axis = 0; axis < expected.dim(); ++axis) {
        if (!are_weights(expected, axis)) continue;
        if (!are_weights(found, axis)) {
            for (int other = 0; other < found.dim(); ++other)
                if (are_weights(found, other))
                    return fmt::format(
                        "\nThe weights sum to 1 along axis {}, and should along axis {}. Does the "
                        "softmax run over the wrong axis?",
                        other, axis);
            if (same_number(sum(found).item(), 1, 1e-5))
                return fmt::format(
                    "\nAll weights together sum to 1, and should{}. Is a softmax taken over all numbers?",
                    along(found, axis));
            const Tensor sums = sum(found, axis, true);
            if (min(abs(sums)).item() > 0 && same(found / sums, expected, tolerance))
                return fmt::format("\nOnly the division of the weights by their sum{} is missing.",
                                   along(found, axis));
            continue;
        }
        if (!same(to_dtype(found > 0, found.dtype()), to_dtype(expected > 0, found.dtype()), 0))
            continue;
        const Tensor ours = scores_of(found, axis), theirs = scores_of(expected, axis);
        const double length = sum(theirs * theirs).item();
        if (length < 1e-6) continue;
        const double factor = sum(ours * theirs).item() / length;
        if (near(factor, 1) || !same(ours, factor * theirs, 1e-4 * std::max(1.0, std::abs(factor))))
            continue;
        if (std::abs(factor) < 1e-4) return "\nAll weights are equal, whatever the scores are.";
        if (near(factor, -1)) return "\nThese are the weights of scores with the opposite sign.";
        return fmt::format("\nThese are the weights of scores that are {} times the right ones.{}",
                           factor_text(factor), about_factor(factor));
    }
    return "";
}

// Index 0 with 1, 2 with 3, along an axis of an even size.
Tensor with_neighbours_exchanged(const Tensor& x, int axis) {
    std::vector<int> order;
    for (int i = 0; i < x.size(axis); ++i) order.push_back(i ^ 1);
    return index_select(x, axis, order);
}

std::string slip_of_axes(const Tensor& found, const Tensor& expected, double tolerance) {
    const int last = expected.dim() - 1;
    if (found.dim() != expected.dim()) return "";
    if (last >= 1 && same(transpose(found), expected, tolerance))
        return "\nThese are the expected numbers transposed: rows and columns are exchanged.";
    for (int a = 0; a < last; ++a)
        for (int b = a + 1; b <= last; ++b)
            if (same(transpose(found, a, b), expected, tolerance))
                return fmt::format("\nThe axes {} and {} are exchanged.", a, b);
    if (found.shape() != expected.shape()) return "";
    for (int axis = 0; axis <= last; ++axis) {
        const int64_t n = expected.size(axis);
        if (n < 2) continue;
        if (n % 2 == 0 && same(with_neighbours_exchanged(found, axis), expected, tolerance))
            return fmt::format("\nNeighbours are exchanged{}: index 0 with 1, and so on.",
                               along(found, axis));
        if (n == 2) continue;
        if (same(flip(found, axis), expected, tolerance))
            return fmt::format("\nThe expected numbers stand in the opposite order{}.",
                               along(found, axis));
        const auto inner = [&](const Tensor& x, int64_t from) {
            return slice(x, axis, from, from + n - 1);
        };
        if (same(inner(expected, 0), inner(expected, 1), tolerance)) continue;
        if (same(inner(found, 0), inner(expected, 1), tolerance))
            return fmt::format("\nEach number stands one index too early{}.", along(found, axis));
        if (same(inner(found, 1), inner(expected, 0), tolerance))
            return fmt::format("\nEach number stands one index too late{}.", along(found, axis));
    }
    return "";
}

// A sign or another factor that all numbers have.
std::string slip_of_factor(const Tensor& found, const Tensor& expected, double tolerance) {
    const std::vector<double> ours = found.to_vector(), theirs = expected.to_vector();
    double largest = 0, factor = 0;
    std::size_t numbers = 0;  // that are not 0
    for (std::size_t i = 0; i < ours.size(); ++i) {
        numbers += std::abs(theirs[i]) > tolerance;
        if (std::abs(theirs[i]) > largest)
            largest = std::abs(theirs[i]), factor = ours[i] / theirs[i];
    }
    if (numbers < 2 || std::abs(factor) < 1e-12 || !same(found, factor * expected, tolerance))
        return "";
    if (near(factor, -1)) return "\nAll numbers have the opposite sign.";
    return fmt::format("\nAll numbers are {} times the expected ones.{}", factor_text(factor),
                       about_factor(factor));
}

// A function of each number that is too much or missing, and a number that is added to all.
std::string slip_of_numbers(const Tensor& found, const Tensor& expected, double tolerance) {
    const double low = min(expected).item(), high = max(expected).item();
    if (high - low <= tolerance) return "";  // equal numbers prove nothing
    const auto is = [&](const Tensor& other) {
        return same(found, other, tolerance * scale_of(other.to_vector()));
    };
    if (is(1 - expected)) return "\nThese are 1 minus the expected numbers.";
    if (low > 0 && is(log(expected))) return "\nThese are the logarithms of the expected numbers.";
    if (high < 100 && is(exp(expected)))
        return "\nThe expected numbers are the logarithms of these.";
    if (is(square(expected))) return "\nThese are the squares of the expected numbers.";
    if (low >= 0 && is(sqrt(expected))) return "\nThese are the roots of the expected numbers.";
    if (low * high > 0 && is(1 / expected)) return "\nThese are 1 over the expected numbers.";
    const double more = mean(found - expected).item();
    if (is(expected + more))
        return fmt::format("\nAll numbers are {} by {:.4g}.", more > 0 ? "too large" : "too small",
                           std::abs(more));
    return "";
}

}  // namespace

std::string slip_with(const std::string& name, const Tensor& input, const Tensor& found,
                      const Tensor& expected, double tolerance) {
    const bool fits =
        input.shape() == expected.shape() ||
        (input.dim() == 1 && expected.dim() > 1 && input.size(0) == expected.size(-1));
    if (found.shape() != expected.shape() || !fits || found.numel() < 2) return "";
    const Tensor x = to_dtype(input, Dtype::float64), ours = to_dtype(found, Dtype::float64),
                 theirs = to_dtype(expected, Dtype::float64);
    const double fine = std::min(tolerance, 0.1 * max(abs(ours - theirs)).item());
    if (input.shape() == expected.shape() && same(ours, x, fine))
        return fmt::format("\nThis is the argument {} itself.", name);
    if (same(ours + x, theirs, fine))
        return fmt::format("\nThese are the expected numbers without {}: is it not added?", name);
    if (same(ours - x, theirs, fine))
        return fmt::format("\nThese are the expected numbers plus {}.", name);
    if (same(ours * x, theirs, fine))
        return fmt::format("\nThese are the expected numbers without the factor {}.", name);
    if (same(ours, theirs * x, fine))
        return fmt::format("\nThese are the expected numbers times {}.", name);
    return "";
}

std::string slip_in(const Tensor& found, const Tensor& expected, double tolerance) {
    const Tensor ours = to_dtype(found, Dtype::float64),
                 theirs = to_dtype(expected, Dtype::float64);
    if (ours.numel() == 0 || theirs.numel() == 0) return "";
    for (const Tensor& x : {ours, theirs})
        for (double number : x.to_vector())
            if (!std::isfinite(number)) return "";
    if (ours.shape() != theirs.shape()) {
        const std::string line = slip_of_axes(ours, theirs, tolerance);
        const bool right =
            ours.numel() == theirs.numel() &&
            same(reshape(ours, {ours.numel()}), reshape(theirs, {ours.numel()}), tolerance);
        return line.empty() && right ? "\nThe numbers themselves are right." : line;
    }
    // What is nearly right already fits everything, so a slip has to explain nine tenths of the difference.
    const double fine = std::min(tolerance, 0.1 * max(abs(ours - theirs)).item());
    for (const auto slip : {slip_of_axes, slip_of_weights, slip_of_factor, slip_of_numbers})
        if (const std::string line = slip(ours, theirs, fine); !line.empty()) return line;
    return "";
}

}  // namespace heed::course
