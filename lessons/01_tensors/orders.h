// The loops of lesson 01 in all six orders, and the tables and plots of their speed.
#pragma once

#include <vector>

#include "lessons/01_tensors/measure.h"
#include "lessons/course/course.h"

// Six methods; the name is the order of the loops, outermost first: "i j k", "j i k", ...
const std::vector<Method>& six_orders();

// What the measurement of the six orders gave, as ratios of times.
struct OrderResult {
    double slowest;  // the slowest order against the fastest
    double longer;   // the worst order at n + 8 against itself at n
};

// `lines` and `groups`: for each order, the cache lines a step needs and the cache groups that the
// numbers of a column use, at n and at n + 8.
OrderResult show_six_orders(heed::course::Lesson& lesson, int n, const std::vector<double>& lines,
                            const std::vector<int>& groups);

// Four products at n and over sizes: how much faster the last is than the first, and the largest
// relative difference between their results.
struct ProductResult {
    double gain, error;
};
ProductResult show_products(heed::course::Lesson& lesson, const std::vector<Method>& products,
                            int n);
