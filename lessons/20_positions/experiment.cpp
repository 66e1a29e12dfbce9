#include "lessons/20_positions/experiment.h"

#include <string>

#include "lessons/20_positions/data.h"
#include "lessons/course/course.h"

namespace heed::lesson20 {

using namespace course;

const char* name_of(Task task) {
    return task == Task::before ? "the token before" : "the latest digit";
}

Accuracies compare_positions(AtCall lesson, Task task, int steps, int seeds) {
    const bool before = task == Task::before;
    Accuracies means;
    LinePlot plot{.title = before ? "Which was the token before?" : "Which was the latest digit?",
                  .x_label = "position",
                  .y_label = "accuracy",
                  .log_x = true,
                  .y_range = {0, 1}};
    Table table({name_of(task), "within", "to 2x", "to 4x", "to 8x"});
    for (PositionKind kind : position_kinds()) {
        const auto runs = accuracies_by_seed(kind, task, steps, seeds, 100 * lesson->seed());
        std::vector<std::string> cells{name_of(kind)};
        for (const Range& range : ranges) {
            std::vector<double> reached;
            for (const auto& run : runs) reached.push_back(mean_over(run, range));
            means[kind].push_back(summarise(reached).mean);
            cells.push_back(mean_and_spread(reached, 2));
        }
        table.add(cells);
        plot.series.push_back(line_of(name_of(kind), runs));
    }
    lesson->table(
        table,
        "Accuracy by position, counted from 0. Within the training length of 16: positions 2 "
        "to 15. To 2x: positions 16 to 31. To 4x: 32 to 63. To 8x: 64 to 127.");
    lesson->show(
        before ? "before" : "latest", plot,
        "Accuracy by position; training sequences have 16 tokens. The axis is logarithmic: equal "
        "distances on it are equal factors.");
    return means;
}

}  // namespace heed::lesson20
