// The adding problem (Hochreiter and Schmidhuber 1997, section 5.4). The input is a sequence of
// numbers between 0 and 1. Two of them are marked, one in each half. The answer is their sum. A
// model that always answers 1, the mean of all sums, has a squared error of 1/6.
//
// Every batch has new random problems, so a model cannot memorise them.
#pragma once

#include "autograd/tensor/random.h"
#include "autograd/tensor/tensor.h"

namespace heed::lesson07 {

constexpr double error_of_the_mean = 1 / 6.;

struct Problems {
    Tensor x;  // [B, T, 2], numbers and marks (1 or 0)
    Tensor t;  // [B], the sums
};
Problems adding_problems(int count, int length, Rng& rng);

}  // namespace heed::lesson07
