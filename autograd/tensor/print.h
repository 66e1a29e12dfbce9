// Printing tensors, as NumPy does: fmt::print("{}\n", x). tensor.h includes this.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "autograd/tensor/tensor.h"

namespace heed {

// Values, shape and dtype; shortened when there are many values.
std::string to_string(const Tensor& x);

}  // namespace heed

template <>
struct fmt::formatter<heed::Tensor> {
    constexpr auto parse(fmt::format_parse_context& context) { return context.begin(); }
    auto format(const heed::Tensor& x, fmt::format_context& context) const {
        const std::string text = heed::to_string(x);
        return std::copy(text.begin(), text.end(), context.out());
    }
};
template <>
struct fmt::formatter<heed::Dtype> {
    constexpr auto parse(fmt::format_parse_context& context) { return context.begin(); }
    auto format(heed::Dtype dtype, fmt::format_context& context) const {
        const std::string_view text = heed::name_of(dtype);
        return std::copy(text.begin(), text.end(), context.out());
    }
};
