// The list of everything whose gradient is checked: by `./heed gradcheck`, and by the tests. A file of
// cases adds to it:
//
//     static const bool added = add_cases([] {
//         return std::vector<Case>{{"tanh [2, 3]", [](const auto& x) { return tanh(x[0]); },
//                                   {sample({2, 3})}}};
//     });
//
// The first word of a case's name is the public name of what it checks; a test compares these with the
// headers, so that nothing can be left out.
#pragma once

#include <string>
#include <vector>

#include "autograd/autograd.h"

namespace heed {

struct Case {
    std::string name;
    DifferentiableFunction f;
    std::vector<Tensor> inputs;  // float64
    int highest_order = 2;       // 1 for what has no second derivative
};

using MakeCases = std::vector<Case> (*)();
bool add_cases(MakeCases make);
std::vector<Case> all_cases();  // sorted by name

// Numbers from [low, high], float64, no two alike, the same at every call with the same seed.
Tensor sample(const Shape& shape, double low = -1, double high = 1, uint64_t seed = 1);

}  // namespace heed
