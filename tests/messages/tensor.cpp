// Misuse of tensors: making, reading, changing.
#include <cmath>

#include "tests/messages/messages.h"

namespace heed::messages {

// Laid out by hand: one call a line.
// clang-format off

std::vector<Chapter> tensor_chapters() {
    static Tensor x = zeros({2, 3});
    static Tensor none;
    static const Indices ids({1, 2, 3, 4}, {2, 2});
    static Rng rng(1);
    return {
        {"Making tensors", "",
         {
             CALL(tensor({1, 2, 3}, {2, 2})),
             CALL(zeros({2, -1})),
             CALL(ones({2, -1})),
             CALL(full({-3}, 1)),
             CALL(empty({int64_t{1} << 40, int64_t{1} << 40})),
             CALL_OF("Shape", zeros({1, 1, 1, 1, 1, 1, 1})),
             CALL(arange(-1)),
             CALL(arange(0, 3, 0)),
             CALL(arange(0, INFINITY, 1)),
             CALL(arange(0, 1, 1e-30)),
             CALL(arange(int64_t{1} << 45)),
             CALL(linspace(0, 1, -1)),
             CALL(linspace(0, 1, int64_t{1} << 45)),
             CALL(eye(-2)),
             CALL(eye(1 << 24)),
             CALL(tensor(std::vector<double>{}, {0, -1})),
             CALL(empty_like(none)),
             CALL(zeros_like(none)),
             CALL(ones_like(none)),
             CALL(full_like(none, 1)),
         }},
        {"Reading and changing", "Tensor x = zeros({2, 3}), none;",
         {
             CALL_OF("item", x.item()),
             CALL_OF("item", none.item()),
             CALL_OF("at", x.at({1})),
             CALL_OF("at", x.at({2, 0})),
             CALL_OF("at", x.at({0, -4})),
             CALL_OF("size", x.size(2)),
             CALL_OF("data", x.data<double>()),
             CALL_OF("edit", x.edit<double>()),
             CALL_OF("edit", exp(ones({2}).set_requires_grad()).edit<float>()),
             CALL_OF("assign", x.assign(zeros({3, 2}))),
             CALL_OF("assign", x.assign(zeros({2, 3}, Dtype::float64))),
             CALL_OF("assign", x.assign(none)),
             CALL_OF("assign", transpose(x).assign(zeros({3, 2}))),
             CALL_OF("set_requires_grad", exp(ones({2}).set_requires_grad()).set_requires_grad(false)),
             CALL_OF("shape", none.shape()), CALL_OF("dim", none.dim()),
             CALL_OF("numel", none.numel()), CALL_OF("size", none.size(0)),
             CALL_OF("dtype", none.dtype()), CALL_OF("strides", none.strides()),
             CALL_OF("layout", none.layout()), CALL_OF("is_contiguous", none.is_contiguous()),
             CALL_OF("at", none.at({0})), CALL_OF("data", none.data<float>()),
             CALL_OF("edit", none.edit<float>()), CALL_OF("assign", none.assign(x)),
             CALL_OF("requires_grad", none.requires_grad()),
             CALL_OF("set_requires_grad", none.set_requires_grad()),
             CALL_OF("grad", none.grad()), CALL_OF("clear_grad", none.clear_grad()),
             CALL_OF("to_vector", none.to_vector()),
             CALL_OF("select", x[2]),
             CALL_OF("select", x[-3]),
             CALL_OF("slice", x[Slice{1, 3}]),
             CALL_OF("index_select", x[Indices({0, 2})]),
             CALL(detach(none)),
             CALL(copy_of(none)),
         }},
        {"Integers", "const Indices ids({1, 2, 3, 4}, {2, 2});",
         {
             CALL(Indices({1, 2, 3}, {2, 2})),
             CALL(Indices({1, 2}, {-1, -2})),
             CALL_OF("Indices::at", ids.at({1})),
             CALL_OF("Indices::at", ids.at({0, 2})),
             CALL_OF("Indices::size", ids.size(2)),
             CALL_OF("Indices::reshaped", ids.reshaped({3})),
             CALL(concat(std::vector<Indices>{}, 0)),
             CALL(concat({ids, Indices({1, 2})}, 0)),
             CALL(concat({ids, Indices({1, 2}, {2, 1})}, 0)),
             CALL(concat({ids, ids}, 2)),
             CALL(slice(ids, 1, 1, 3)),
             CALL(slice(ids, 2, 0, 1)),
             CALL(equal(ids, Indices({1, 2}))),
             CALL(not_equal(ids, Indices({1, 2}))),
             CALL(to_indices(tensor({1, 2, 3, 4.5}, {2, 2}))),
             CALL(to_indices(tensor({3e9}))),
             CALL(to_indices(tensor({NAN}))),
             CALL(to_indices(none)),
             CALL(randperm(-1, rng)),
             CALL(randperm(int64_t{1} << 45, rng)),
         }},
    };
}

// clang-format on

}  // namespace heed::messages
