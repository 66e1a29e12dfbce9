#include "lessons/w2_second_order/experiment.h"

#include "autograd/autograd.h"
#include "lessons/w2_second_order/planted_bugs.h"

namespace heed::workshop2 {

using namespace course;

Caught show_planted_bugs(AtCall lesson, const Check& largest_error) {
    Rng rng(lesson->seed());
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
    lesson->table(table, "Which check finds (✓) which bug. The tolerance of all checks is 1e-7.");
    return caught;
}

}  // namespace heed::workshop2
