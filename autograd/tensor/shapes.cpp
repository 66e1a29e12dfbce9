#include "autograd/tensor/shapes.h"

#include <cassert>
#include <vector>

namespace heed {
namespace {

// [B, Q, 4]
std::string in_brackets(const AxisNames& axes, std::initializer_list<Shapes::Size> known) {
    std::vector<std::string> words;
    for (int i = 0; i < axes.count; ++i) {
        words.push_back(axes.names[i].text());
        for (const Shapes::Size& size : known)
            if (size.name == axes.names[i]) words.back() = std::to_string(size.size);
    }
    if (axes.any_at >= 0) words.insert(words.begin() + axes.any_at, "...");
    return fmt::format("[{}]", fmt::join(words, ", "));
}

// query [B, Q, 4], or indices [B] or [B, Q]
std::string in_words(const Shapes::Input& input, std::initializer_list<Shapes::Size> known) {
    const std::string all = in_brackets(input.axes, known);
    if (input.axes.maybe < 0) return fmt::format("{} {}", input.name, all);
    return fmt::format("{} {} or {}", input.name, in_brackets(input.axes.without_maybe(), known),
                       all);
}

// query [B, Q, D], key [B, K, D] and value [B, K, V]
std::string in_words(std::initializer_list<Shapes::Input> inputs,
                     std::initializer_list<Shapes::Size> known) {
    std::vector<std::string> all;
    for (const Shapes::Input& input : inputs)
        if (!input.missing() || !input.axes.optional) all.push_back(in_words(input, known));
    std::string words = all[0];
    for (std::size_t i = 1; i < all.size(); ++i)
        words += (i + 1 < all.size() ? ", " : " and ") + all[i];
    return words;
}

// The axes that "..." stands for.
Shape any_of(const AxisNames& axes, const Shape& shape) {
    Shape any;
    for (int i = 0; i < shape.count - axes.count; ++i) any.push(shape[axes.any_at + i]);
    return any;
}

// The first axis whose size differs, of those that both inputs have under one name and whose size is not
// given: "K is 3 in key [2, 3, 4] and 5 in value [2, 5, 4]". Empty if there is none.
std::string difference(const AxisNames& names, const Shapes::Input& input,
                       const AxisNames& other_names, const Shapes::Input& other,
                       std::initializer_list<Shapes::Size> known) {
    const Shape &shape = input.shape(), &other_shape = other.shape();
    const auto in_words = [&](const auto& name, const auto& a, const auto& b) {
        return fmt::format("{} is {} in {} {} and {} in {} {}", name, a, input.name, shape, b,
                           other.name, other_shape);
    };
    for (int i = 0; i < other_names.count; ++i)
        for (int j = 0; j < names.count; ++j) {
            const AxisName name = other_names.names[i];
            const int64_t a = shape[names.axis(j, shape.count)];
            const int64_t b = other_shape[other_names.axis(i, other_shape.count)];
            bool given = other_names.fixed[i] >= 0;
            for (const Shapes::Size& size : known) given |= size.name == name;
            if (!given && names.names[j] == name && a != b) return in_words(name.text(), a, b);
        }
    if (names.any_at < 0 || other_names.any_at < 0) return "";
    const Shape a = any_of(names, shape), b = any_of(other_names, other_shape);
    return a == b ? "" : in_words("\"...\"", a, b);
}

}  // namespace

std::string AxisName::text() const {
    std::string text;
    for (int shift = 48; shift >= 0; shift -= 8)
        if (const char c = static_cast<char>(code >> shift & 255)) text += c;
    return text;
}

AxisNames AxisNames::without_maybe() const {
    AxisNames less = *this;
    for (int i = maybe + 1; i < count; ++i) {
        less.names[i - 1] = names[i];
        less.fixed[i - 1] = fixed[i];
    }
    --less.count;
    if (any_at > maybe) --less.any_at;
    less.maybe = -1;
    return less;
}

const int64_t* Shapes::find(AxisName name) const {
    for (int i = 0; i < count_; ++i)
        if (names_[i] == name) return &sizes_[i];
    return nullptr;
}

int64_t Shapes::operator[](AxisName name) const {
    const int64_t* size = find(name);
    assert(size && "no axis has this name");
    return size ? *size : 0;
}

bool Shapes::fits(const Input& input) {
    const Shape& shape = input.shape();
    if (has_all(input.axes, shape)) return fits(input.axes, shape);
    return fits(input.axes.without_maybe(), shape);
}

bool Shapes::fits(const AxisNames& axes, const Shape& shape) {
    if (!axes.fit_rank(shape.count)) return false;
    if (axes.any_at >= 0) {
        const Shape any = any_of(axes, shape);
        if (has_any_ && !(any == any_)) return false;
        any_ = any;
        has_any_ = true;
    }
    for (int i = 0; i < axes.count; ++i) {
        const int64_t size = shape[axes.axis(i, shape.count)];
        if (axes.fixed[i] >= 0) {
            if (size != axes.fixed[i]) return false;
        } else if (const int64_t* known = find(axes.names[i])) {
            if (size != *known) return false;
        } else {
            bind(axes.names[i], size);
        }
    }
    return true;
}

void Shapes::fail_shapes(const char* function, const Input& wrong,
                         std::initializer_list<Input> inputs, std::initializer_list<Size> known,
                         const char* hint) const {
    if (wrong.missing())
        fail("{}: {} is not defined; Tensor() holds no numbers", function, wrong.name);

    std::string expected = in_words(inputs, known);
    if (hint) expected += fmt::format("; {}", hint);

    // The first axis that has another size in an input before it.
    const Shape& shape = wrong.shape();
    const auto names_of = [&](const Input& input) {
        return has_all(input.axes, input.shape()) ? input.axes : input.axes.without_maybe();
    };
    const AxisNames axes = names_of(wrong);
    for (const Input& other : inputs) {
        if (&other == &wrong || !axes.fit_rank(shape.count)) break;
        if (other.missing()) continue;
        const std::string differs = difference(names_of(other), other, axes, wrong, known);
        if (!differs.empty()) fail("{}: {}; expected {}", function, differs, expected);
    }
    fail("{}: {} is {}; expected {}", function, wrong.name, shape, expected);
}

}  // namespace heed
