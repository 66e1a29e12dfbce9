// What a training of a lesson saves, so that `--resume` can go on with it
// (lessons/course/lesson/checkpoints.h):
//
//     train(adam, {.steps = steps, .checkpoint = next_checkpoint({rng})}, step);
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lessons/course/lesson/checkpoints.h"
#include "lessons/course/terminal/live_line.h"
#include "nn/train/checkpoint.h"

namespace heed::course {

// The checkpoint of the next training of the lesson that runs in this program; saved every 10
// seconds. The list says what changes in the training. Without a lesson, as in tests of its parts,
// nothing is saved.
inline CheckpointOptions next_checkpoint(std::vector<SavedState> changing = {}) {
    CheckpointOptions options(next_checkpoint_folder(), std::move(changing), {.seconds = 10});
    options.on_problem = [](const std::string& problem) { print_now(problem + "\n"); };
    return options;
}

}  // namespace heed::course
