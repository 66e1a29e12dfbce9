#include "lessons/03_gradient_check/checks.h"

#include "autograd/autograd.h"

using namespace heed;
using namespace heed::course;

Caught show_planted_bugs(Lesson& lesson, const Check& largest_error) {
    Rng rng(lesson.seed());
    Table table({"operation", "its gradient", "ones", "sum", "covector", "order 2"});
    Caught caught;
    for (const PlantedBug& bug : planted_bugs()) {
        std::vector<Tensor> all_ones, random;
        for (const Shape& shape : bug.inputs) {
            all_ones.push_back(ones(shape, Dtype::float64));
            // Absolute values between 0.2 and 1.2, away from the kink of relu, max(x, 0).
            const Tensor sign = 2 * bernoulli(shape, 0.5, rng, Dtype::float64) - 1;
            random.push_back(sign * uniform(shape, 0.2, 1.2, rng, Dtype::float64));
        }
        const double errors[] = {largest_error(bug.wrong, all_ones, nullptr),
                                 largest_error(bug.wrong, random, nullptr),
                                 largest_error(bug.wrong, random, &rng)};
        const GradcheckReport report = gradcheck(bug.wrong, random, {.order = 2});
        const bool first = report.orders[0].pass;
        const bool found[] = {errors[0] > 1e-7, errors[1] > 1e-7, errors[2] > 1e-7, !report.pass};
        if (bug.operation == "softmax")
            caught.softmax_sum = errors[1], caught.softmax_covector = errors[2];
        std::vector<std::string> cells{bug.operation, bug.mistake};
        for (bool finds : found) cells.push_back(finds ? "✓" : "·");
        table.add(cells);
        caught.ones += found[0];
        caught.sum += found[1];
        caught.covector += found[2];
        caught.both_orders += found[3];
        caught.agreed += found[2] == !first;
        caught.right_passed += largest_error(bug.right, random, &rng) <= 1e-7 &&
                               gradcheck(bug.right, random, {.order = 2}).pass;
    }
    lesson.table(table, "Which check finds (✓) which bug. The tolerance of all checks is 1e-7.");
    return caught;
}

Diagram diagram_of_a_check() {
    Diagram diagram{.title = "A gradient check"};
    diagram.boxes = {
        {"inputs x", {}, 0, 0, true},         {"covector c", {"random"}, 0, 1, true},
        {"f", {"the operation"}, 1, 0},       {"L", {"sum of c y"}, 2, 0.5},
        {"backward", {"the gradient"}, 3, 0}, {"difference", {"x + h and x - h"}, 3, 1},
        {"compare", {"at most 1e-7"}, 4, 0.5}};
    diagram.arrows = {{0, 2}, {2, 3}, {1, 3}, {3, 4}, {3, 5}, {4, 6}, {5, 6}};
    return diagram;
}
