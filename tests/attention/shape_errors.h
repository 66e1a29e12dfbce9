// Shapes that do not fit, and what is said of them: test_shape_errors.cpp checks the rows.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "autograd/autograd.h"

namespace heed::shape_errors {

struct Row {
    std::string name;  // of the function or layer
    std::function<void()> call;
    std::string message;  // all of it, or as much as belongs to it
};

std::vector<Row> soft_rows();   // scores, masks, heads, pooling, positions
std::vector<Row> hard_rows();   // samples, locations, estimators
std::vector<Row> model_rows();  // encoders, decoders, Transformers, decoding
std::vector<Row> efficient_rows();  // attention for long sequences

inline Tensor z(const Shape& shape) { return zeros(shape); }

}  // namespace heed::shape_errors
