// What a function expects of its tensors, said once. The line at its head documents the axes, checks them,
// and gives the text of the error:
//
//     Tensor DotScore::operator()(const Tensor& q, const Tensor& k) const {
//         const Shapes in("DotScore", {{"query", q, "B Q D"}, {"key", k, "B K D"}});
//         return matmul(q, transpose(k));
//     }
//
//     DotScore: D is 4 in query [2, 3, 4] and 6 in key [2, 5, 6]; expected query [B, Q, D] and
//     key [B, K, D]
//
// A name is the size of an axis, the same wherever it stands; in["D"] is its value. A digit stands for
// itself, and "..." for any axes, the same in all tensors that have them. A size that is known before comes
// in a second list, and replaces its name in the message. A "?" alone in front means that the tensor may be
// missing, and "?T" that the axis may: "... ?T" is [...] or [..., T]. All tensors must be defined and have
// one dtype. Indices are listed in the same way; they are missing if they are empty. What a caller can do
// about a wrong shape may be said at the end:
//
//     const Shapes in("Linear", {{"x", x, "... In"}}, {{"In", weight.size(1)}},
//                     "the layer was made for this width");
//
// While a Shapes lives, errors of the functions called begin with its function's name, or with that of the
// outermost one: it is a UserCall.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "autograd/base/user_call.h"
#include "autograd/tensor/indices.h"
#include "autograd/tensor/tensor.h"

namespace heed {

// The name of an axis, at most seven letters and digits. One number, so that comparing two is quick.
struct AxisName {
    std::uint64_t code = 0;

    constexpr AxisName() = default;
    template <std::size_t N>
    consteval AxisName(const char (&text)[N]) : AxisName(std::string_view(text, N - 1)) {}
    constexpr explicit AxisName(std::string_view text) {
        if (text.empty() || text.size() > 7) throw "a name has one to seven letters";
        for (char c : text) code = code << 8 | static_cast<unsigned char>(c);
    }
    constexpr bool operator==(const AxisName&) const = default;
    std::string text() const;
};

// The axes of a tensor, "B Q D", taken apart while compiling; a text that makes no sense does not compile.
struct AxisNames {
    std::array<AxisName, max_axes> names{};
    // The size that a digit says, or -1. With signed char here, Clang 14 misplaces what follows.
    std::array<int, max_axes> fixed{};
    int count = 0;
    int any_at = -1;        // the number of names in front of "..."; -1: there is no "..."
    int maybe = -1;         // which name has a "?"; -1: none
    bool optional = false;  // "?"

    constexpr AxisNames() = default;
    template <std::size_t N>
    consteval AxisNames(const char (&text)[N]) {
        for (std::string_view rest(text, N - 1); !rest.empty();) {
            const std::size_t end = rest.find(' ');
            const std::string_view word = rest.substr(0, end);
            if (word == "?" && !optional && any_at < 0 && count == 0) {
                optional = true;
            } else if (word == "..." && any_at < 0) {
                any_at = count;
            } else {
                const bool may_miss = word[0] == '?';
                if (may_miss && maybe >= 0) throw "only one axis may be missing";
                if (may_miss) maybe = count;
                const std::string_view name = word.substr(may_miss ? 1 : 0);
                const bool digit = name.size() == 1 && name[0] >= '0' && name[0] <= '9';
                fixed[count] = digit ? name[0] - '0' : -1;
                names[count++] = AxisName(name);
            }
            rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
        }
    }

    bool fit_rank(int rank) const { return any_at < 0 ? rank == count : rank >= count; }
    // The axis that name i means in a tensor of this rank.
    int axis(int i, int rank) const { return any_at < 0 || i < any_at ? i : i + rank - count; }
    AxisNames without_maybe() const;
};

class Shapes {
  public:
    struct Input {
        Input(const char* its_name, const Tensor& x, const AxisNames& its_axes)
            : name(its_name), tensor(&x), axes(its_axes) {}
        Input(const char* its_name, const Indices& x, const AxisNames& its_axes)
            : name(its_name), indices(&x), axes(its_axes) {}

        bool missing() const {
            return tensor ? !tensor->defined() : indices->count() == 0 && axes.optional;
        }
        const Shape& shape() const { return tensor ? tensor->shape() : indices->shape(); }

        const char* name = nullptr;
        const Tensor* tensor = nullptr;  // one of the two
        const Indices* indices = nullptr;
        const AxisNames& axes;  // like the list, it lives as long as the call of the constructor
    };
    struct Size {
        AxisName name{};
        int64_t size = 0;
    };

    // Throws if a tensor is missing or has other axes than its names say, or if dtypes differ.
    // `function` and the names must outlive the object; literals do.
    Shapes(const char* function, std::initializer_list<Input> inputs,
           std::initializer_list<Size> known = {}, const char* hint = nullptr)
        : named_(function) {
        for (const Size& size : known) bind(size.name, size.size);
        const Tensor* first = nullptr;
        for (const Input& input : inputs) {
            if (input.missing() && input.axes.optional) continue;
            if (input.missing() || !fits(input)) [[unlikely]]
                fail_shapes(function, input, inputs, known, hint);
            if (!input.tensor) continue;
            if (!first) first = input.tensor;
            check_same_dtype(*first, *input.tensor, function);
        }
    }

    int64_t operator[](AxisName name) const;
    bool has(AxisName name) const { return find(name); }  // whether a "?T" is there
    // The axes that "..." stands for.
    const Shape& any() const { return any_; }

  private:
    static constexpr int most = 12;  // different names in one list

    // Binds the names of the input to the sizes of its tensor; false if they do not fit.
    bool fits(const Input& input);
    bool fits(const AxisNames& axes, const Shape& shape);
    // Whether the shape has the axis that may be missing.
    bool has_all(const AxisNames& axes, const Shape& shape) const {
        return axes.maybe < 0 ||
               (axes.any_at >= 0 && has_any_ ? shape.count == any_.count + axes.count
                                             : axes.fit_rank(shape.count));
    }
    void bind(AxisName name, int64_t size) {
        assert(count_ < most);
        names_[count_] = name;
        sizes_[count_++] = size;
    }
    const int64_t* find(AxisName name) const;
    [[noreturn, gnu::cold]] void fail_shapes(const char* function, const Input& wrong,
                                             std::initializer_list<Input> inputs,
                                             std::initializer_list<Size> known,
                                             const char* hint) const;

    UserCall named_;
    std::array<AxisName, most> names_{};
    std::array<int64_t, most> sizes_{};
    int count_ = 0;
    bool has_any_ = false;
    Shape any_;
};

}  // namespace heed
