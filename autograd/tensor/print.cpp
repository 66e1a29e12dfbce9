// How a tensor prints. The rules are NumPy's: as few digits as tell the numbers apart in their
// dtype, at most eight after the point; powers of ten when the numbers are too large, too small, or
// too different in size; columns aligned; of tensors with over 1000 elements only the first and
// last three along each axis.
#include "autograd/tensor/print.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace heed {
namespace {

constexpr int64_t print_whole = 1000;  // elements
constexpr int64_t edge_items = 3;
constexpr std::size_t line_width = 75;
constexpr int max_decimals = 8;

// --- one number ---------------------------------------------------------------------------------

// Fixed "12.5" or scientific "1.25e+01", with so many digits after the point that, for each number
// to be shown, more would add nothing.
struct NumberFormat {
    bool scientific = false;
    int decimals = 0;       // scientific: of all numbers; fixed: of the longest
    std::size_t width = 0;  // of the widest

    NumberFormat(const std::vector<double>& shown, Dtype dtype) : dtype_(dtype) {
        double largest = 0, smallest = INFINITY;
        for (double value : shown)
            if (std::isfinite(value) && value != 0) {
                largest = std::max(largest, std::abs(value));
                smallest = std::min(smallest, std::abs(value));
            }
        scientific =
            largest > 0 && (largest >= 1e8 || smallest < 1e-4 || largest / smallest > 1000);
        for (double value : shown) decimals = std::max(decimals, decimals_of(value));
        for (double value : shown) width = std::max(width, text(value).size());
    }

    // The number, with the point of all fixed ones in one column.
    std::string text(double value) const {
        if (!std::isfinite(value)) return fmt::format("{:>{}}", value, width);
        if (scientific) return fmt::format("{:>{}}", digits(value, decimals), width);
        const int own = decimals_of(value);
        return fmt::format("{:>{}}", digits(value, own) + std::string(decimals - own, ' '), width);
    }

  private:
    std::string digits(double value, int count) const {  // so many after the point
        return scientific ? fmt::format("{:#.{}e}", value, count)
                          : fmt::format("{:#.{}f}", value, count);
    }
    // The fewest digits after the point from which the number can be read back.
    int decimals_of(double value) const {
        if (!std::isfinite(value)) return 0;
        for (int count = 0; count < max_decimals; ++count)
            if (round(std::strtod(digits(value, count).c_str(), nullptr)) == value) return count;
        std::string all = digits(value, max_decimals);
        return max_decimals - trailing_zeros(all.substr(0, all.find('e')));
    }
    static int trailing_zeros(const std::string& text) {
        return static_cast<int>(text.size() - 1 - text.find_last_not_of('0'));
    }
    double round(double value) const {
        return dtype_ == Dtype::float32 ? static_cast<float>(value) : value;
    }

    Dtype dtype_;
};

// --- the whole tensor ---------------------------------------------------------------------------

// Which indices of an axis are shown; a gap, printed "...", stands before `resume`.
struct Shown {
    int64_t stop, resume;
    Shown(int64_t size, bool shorten)
        : stop(shorten && size > 2 * edge_items ? edge_items : size),
          resume(stop < size ? size - edge_items : size) {}
};

class Printer {
  public:
    explicit Printer(const Tensor& x) : x_(x), shorten_(x.numel() > print_whole) {}

    std::string print() {
        std::vector<double> shown;
        visit(0, 0, [&](double value) { shown.push_back(value); });
        const NumberFormat format(shown, x_.dtype());
        if (x_.dim() == 0) return format.text(shown[0]);
        write_axis(0, 0, format);
        return std::move(text_);
    }

  private:
    double element(int64_t offset) const {
        return with_dtype(x_.dtype(), [&]<class T>(T) { return double{x_.data<T>()[offset]}; });
    }

    // f(i) for the shown indices of an axis, gap() at the gap.
    template <class F, class Gap>
    void each_index(int axis, const F& f, const Gap& gap) const {
        const Shown shown(x_.shape()[axis], shorten_);
        for (int64_t i = 0; i < shown.stop; ++i) f(i);
        if (shown.stop < shown.resume) gap();
        for (int64_t i = shown.resume; i < x_.shape()[axis]; ++i) f(i);
    }

    template <class Visit>
    void visit(int axis, int64_t offset, const Visit& see) const {
        if (axis == x_.dim()) return see(element(offset));
        each_index(
            axis, [&](int64_t i) { visit(axis + 1, offset + i * x_.strides()[axis], see); }, [] {});
    }

    // "[...]" with the axes after this one inside. Numbers stand side by side, broken into lines of
    // line_width; blocks stand below one another, with an empty line more for every axis inside.
    void write_axis(int axis, int64_t offset, const NumberFormat& format) {
        const int64_t step = x_.strides()[axis];
        const bool innermost = axis == x_.dim() - 1;
        const std::string indent(axis + 1, ' ');
        const std::string between = std::string(x_.dim() - 1 - axis, '\n') + indent;
        text_ += '[';
        bool first = true;
        const auto write_number = [&](const std::string& number) {
            const std::size_t column = text_.size() - (text_.rfind('\n') + 1);
            if (!first && column + 1 + number.size() + x_.dim() > line_width) {
                text_.erase(text_.find_last_not_of(' ') + 1);
                text_ += '\n' + indent;
            } else if (!first)
                text_ += ' ';
            text_ += number;
            first = false;
        };
        const auto write_block = [&](int64_t i) {
            if (!first) text_ += between;
            write_axis(axis + 1, offset + i * step, format);
            first = false;
        };
        if (innermost)
            each_index(
                axis, [&](int64_t i) { write_number(format.text(element(offset + i * step))); },
                [&] { write_number("..."); });
        else
            each_index(axis, write_block, [&] { text_ += between + "..."; });
        text_ += ']';
    }

    const Tensor& x_;
    bool shorten_;
    std::string text_;
};

}  // namespace

std::string to_string(const Tensor& x) {
    if (!x.defined()) return "(no tensor)";
    return fmt::format("{}  {} {}", Printer(x).print(), x.shape(), x.dtype());
}

}  // namespace heed
