#include "autograd/tensor/shapes.h"

#include <cassert>

namespace heed {
namespace {

// query [B, Q, 4]
std::string in_words(const Shapes::Input& input, std::initializer_list<Shapes::Size> known) {
    std::string text = input.axes.any_before ? "..." : "";
    for (int i = 0; i < input.axes.count; ++i) {
        std::string name = input.axes.names[i].text();
        for (const Shapes::Size& size : known)
            if (size.name == input.axes.names[i]) name = std::to_string(size.size);
        text += (text.empty() ? "" : ", ") + name;
    }
    return fmt::format("{} [{}]", input.name, text);
}

// What "..." stands for in the input.
Shape axes_before(const Shapes::Input& input) {
    Shape front = input.tensor.shape();
    front.count -= input.axes.count;
    return front;
}

}  // namespace

std::string AxisName::text() const {
    std::string text;
    for (int shift = 48; shift >= 0; shift -= 8)
        if (const char c = static_cast<char>(code >> shift & 255)) text += c;
    return text;
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
    const AxisNames& axes = input.axes;
    const Shape& shape = input.tensor.shape();
    const int before = shape.count - axes.count;
    if (before < 0 || (before > 0 && !axes.any_before)) return false;
    if (axes.any_before) {
        Shape front = shape;
        front.count = before;
        if (has_before_ && !(front == before_)) return false;
        before_ = front;
        has_before_ = true;
    }
    for (int i = 0; i < axes.count; ++i) {
        const int64_t size = shape[before + i];
        if (axes.fixed[i] >= 0) {
            if (size != axes.fixed[i]) return false;
        } else if (const int64_t* known = find(axes.names[i])) {
            if (size != *known) return false;
        } else {
            assert(count_ < most);
            bind(axes.names[i], size);
        }
    }
    return true;
}

void Shapes::fail_shapes(const char* function, const Input& wrong,
                         std::initializer_list<Input> inputs, std::initializer_list<Size> known,
                         const char* hint) {
    if (!wrong.tensor.defined())
        fail("{}: {} is not defined; Tensor() holds no numbers", function, wrong.name);

    std::string expected;
    std::size_t left = inputs.size();
    for (const Input& input : inputs) {
        expected += in_words(input, known);
        expected += --left > 1 ? ", " : left == 1 ? " and " : "";
    }
    if (hint) expected += fmt::format("; {}", hint);

    // The first axis that has another size in an input before it.
    const Shape& shape = wrong.tensor.shape();
    const int before = shape.count - wrong.axes.count;
    for (const Input& other : inputs) {
        if (&other == &wrong || before < 0 || (before > 0 && !wrong.axes.any_before)) break;
        if (!other.tensor.defined()) continue;
        const int other_before = other.tensor.dim() - other.axes.count;
        for (int i = 0; i < wrong.axes.count; ++i)
            for (int j = 0; j < other.axes.count; ++j) {
                const AxisName name = wrong.axes.names[i];
                const int64_t a = other.tensor.shape()[other_before + j], b = shape[before + i];
                bool given = wrong.axes.fixed[i] >= 0;
                for (const Size& size : known) given |= size.name == name;
                if (given || !(other.axes.names[j] == name) || a == b) continue;
                fail("{}: {} is {} in {} {} and {} in {} {}; expected {}", function, name.text(), a,
                     other.name, other.tensor.shape(), b, wrong.name, shape, expected);
            }
        if (other.axes.any_before && before >= 0 && !(axes_before(other) == axes_before(wrong)))
            fail("{}: ... is {} in {} {} and {} in {} {}; expected {}", function,
                 axes_before(other), other.name, other.tensor.shape(), axes_before(wrong),
                 wrong.name, shape, expected);
    }
    fail("{}: {} is {}; expected {}", function, wrong.name, shape, expected);
}

}  // namespace heed
