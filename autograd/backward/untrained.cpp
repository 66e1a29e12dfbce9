#include "autograd/backward/untrained.h"

#include <algorithm>

#include "autograd/tensor/storage.h"

namespace heed {
namespace {

struct Noted {
    Storage* storage;  // kept alive
    Shape shape;
};
thread_local std::vector<Noted> noted;

}  // namespace

void mark_as_parameter(const Tensor& x) {
    check_defined("parameter", x);
    x.body()->storage->is_parameter = true;
}
bool is_parameter(const Tensor& x) { return x.defined() && x.body()->storage->is_parameter; }
void mark_as_trained(const Tensor& x) {
    check_defined("mark_as_trained", x);
    x.body()->storage->has_optimiser = true;
}

std::vector<Shape> take_untrained() {
    std::vector<Shape> shapes;
    for (const Noted& one : noted) {
        if (!one.storage->has_optimiser) shapes.push_back(one.shape);
        one.storage->release();
    }
    noted.clear();
    return shapes;
}

std::vector<Shape> other_parameters(const Tensor& y, const std::vector<Tensor>& known) {
    std::vector<Shape> shapes;
    for (const Leaf* node : parameters_behind(y))
        if (std::none_of(known.begin(), known.end(),
                         [&](const Tensor& x) { return x.body()->storage == node->numbers; }))
            shapes.push_back(node->shape);
    return shapes;
}

void UntrainedParameters::look_at(const Leaf& leaf) {
    if (!leaf.numbers->is_parameter) return;
    if (leaf.numbers->has_optimiser)
        any_trained_ = true;
    else
        untrained_.push_back(&leaf);
}

void UntrainedParameters::remember() const {
    if (!any_trained_) return;  // gradients for other purposes than training
    for (const Leaf* node : untrained_) {
        const bool known = std::any_of(noted.begin(), noted.end(), [&](const Noted& one) {
            return one.storage == node->numbers;
        });
        if (known) continue;
        ++node->numbers->references;
        noted.push_back({node->numbers, node->shape});
    }
}

}  // namespace heed
