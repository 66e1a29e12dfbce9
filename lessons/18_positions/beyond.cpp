#include "lessons/18_positions/beyond.h"

#include <string>

#include "lessons/course/course.h"

namespace heed::lesson18 {

using namespace course;

const char* name_of(Task task) {
    return task == Task::before ? "the token before" : "the latest digit";
}

Reached ask_all(Lesson& lesson, Task task, int steps, int seeds) {
    const bool before = task == Task::before;
    Reached means;
    LinePlot plot{
        .title = before ? "Which token stood just before?" : "Which was the latest digit?",
        .x_label = "place",
        .y_label = "accuracy",
        .log_x = true,
        .y_range = {0, 1}};
    Table table({name_of(task), "inside", "to 2x", "to 4x", "to 8x"});
    for (PositionKind kind : position_kinds()) {
        const auto runs = study(kind, task, steps, seeds, 100 * lesson.seed());
        std::vector<std::string> cells{name_of(kind)};
        for (const Stretch& stretch : stretches) {
            std::vector<double> reached;
            for (const auto& run : runs) reached.push_back(mean_over(run, stretch));
            means[kind].push_back(summarise(reached).mean);
            cells.push_back(mean_and_spread(reached, 2));
        }
        table.add(cells);
        plot.series.push_back(line_of(name_of(kind), runs));
    }
    lesson.table(table, "Places within the 16 trained on, and beyond, up to eight times as far.");
    lesson.show(before ? "before" : "latest", plot, "Accuracy by place; training ended at 16.");
    return means;
}

}  // namespace heed::lesson18
