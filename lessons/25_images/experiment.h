// The training runs of this lesson, and their tables and plots.
#pragma once

#include <string>
#include <vector>

#include "lessons/25_images/models.h"
#include "lessons/course/course.h"

namespace heed::lesson25 {

struct Settings {
    std::vector<int> sizes;  // numbers of training pictures, rising
    int64_t steps = 300;     // with 100 pictures
    int seeds = 1;           // networks trained for each number
    double lr = 0;           // of all networks; 0: tuned_rate()
    double weight_decay = 0.3;

    Budget budget(Kind kind, int pictures) const {
        return {.steps = steps_for(pictures),
                .lr = lr > 0 ? lr : tuned_rate(kind),
                .weight_decay = weight_decay};
    }
    // Ten times the pictures get twice the steps: steps 2^log10(pictures / 100).
    int64_t steps_for(int pictures) const;
};

// Numbers such as "100,1000,10000". Throws, naming the option, unless each is at least 10 and larger
// than the one before.
std::vector<int> parse_sizes(const std::string& text);

// The test accuracies of one kind of network for one number of pictures, by seed.
using Accuracies = std::vector<double>;

// Networks of this kind with seeds of their own, each trained on all of `pictures`.
Accuracies train_seeds(course::Lesson& lesson, Kind kind, const course::Images& pictures,
                       const course::Images& test, const Settings& settings, int shift = 0,
                       PatchNetwork* first = nullptr);

struct Comparison {
    std::vector<std::vector<Accuracies>> of;  // [kind][size]
    PatchNetwork vit;                         // with the most pictures and the first seed

    double mean(Kind kind, std::size_t size) const {
        return course::summarise(of[static_cast<std::size_t>(kind)][size]).mean;
    }
};
// All kinds on the first sizes[0], sizes[1], ... of the pictures.
Comparison compare_sizes(course::AtCall lesson, const course::Images& pictures,
                         const course::Images& test, const Settings& settings);

// The validation accuracy of each network for every learning rate and weight decay tried; of the ViT
// also with larger initial positions.
void tune(course::AtCall lesson, const course::Images& pictures, const course::Images& valid,
          const Settings& settings);

// --- the learned positions ----------------------------------------------------------------------

// The cosines [16, 16] of the position vectors of the patches, their mean subtracted.
Tensor cosines_of_positions(const PatchNetwork& network);
// The correlation of these cosines with the distance of the two patches on the grid, over all pairs
// of patches: negative if near patches have similar vectors.
double correlation_with_distance(const Tensor& cosines);

}  // namespace heed::lesson25
