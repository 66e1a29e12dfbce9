// What the workshop compares: sizes of a minibatch, dropout, initial weights, as tables and plots. Each
// comparison gets a function that trains one network.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "lessons/course/course.h"

namespace heed::workshop3 {

struct Reached {
    double validation, test;  // accuracies
};

// Training with several sizes of a minibatch, for the same number of epochs, each at the best of the
// given rates. Mean test accuracies, one for each size.
std::vector<double> show_batches(
    course::AtCall lesson, int points, int epochs, const std::vector<int>& sizes,
    const std::vector<double>& rates,
    const std::function<Reached(int size, int steps, double rate, std::uint64_t seed)>& train);

// One training run that overfits: losses and accuracies at some of its steps.
struct Course {
    std::vector<double> step, training_loss, validation_loss, test_loss, training, test;
    std::size_t best() const;  // the index of the smallest validation loss

    template <class F>
    void visit_state(F&& f) {
        f("step", step), f("training", training), f("test", test);
        f("training_loss", training_loss), f("validation_loss", validation_loss);
        f("test_loss", test_loss);
    }
};

// Without and with dropout, each at the end and at the smallest validation loss: four rows.
struct Overfitting {
    double training = 0;  // accuracy on the training examples, without dropout, at the end
    double test[4] = {}, loss[4] = {};  // on the test examples
};
Overfitting show_overfitting(
    course::AtCall lesson, const std::function<Course(double dropped, std::uint64_t seed)>& train);

// Training from units that differ by noise. Mean accuracies and successes (an accuracy of at least 0.95),
// one for each noise.
struct InitialWeights {
    std::vector<double> accuracy, successes;
    int runs;
};
InitialWeights show_initial_weights(
    course::AtCall lesson, const std::vector<double>& noises,
    const std::function<double(double noise, std::uint64_t seed)>& train);

}  // namespace heed::workshop3
