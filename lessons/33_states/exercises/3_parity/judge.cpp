#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.number("nothing is pressed: the factor", [] { return my_factor(0, 0); }, 1,
                 {.mistakes = {{"the lamp would forget its state where nothing is pressed", 0}}});
    judge.number(
        "nothing is pressed: the addend", [] { return my_addend(0, 0); }, 0);
    judge.number(
        "toggle: the factor", [] { return my_factor(1, 0); }, -1,
        {.mistakes = {{"with the factor 0 the new state does not depend on the old one", 0},
                      {"with the factor 1 the lamp stays as it is", 1}}});
    judge.number("off: the factor", [] { return my_factor(0, 1); }, 0,
                 {.mistakes = {{"off must not depend on the state before: the factor is 0", 1}}});
    judge.number("off: the addend", [] { return my_addend(0, 1); }, 1,
                 {.mistakes = {{"a lamp that is off has the state 1, one that is on has -1", -1}}});
    judge.number("both at once: the factor", [] { return my_factor(1, 1); }, 0,
                 {.mistakes = {{"if both are pressed, the lamp is off", -1}}});
    judge.number(
        "both at once: the addend", [] { return my_addend(1, 1); }, 1);
    const Indices toggle({1, 0, 1, 1, 1}), off({0, 0, 0, 1, 0});
    judge.equal(
        "toggle 1, 0, 1, 1, 1 and off 0, 0, 0, 1, 0", [&] { return my_lamp(toggle, off); },
        tensor({1, 1, 0, 0, 1}),
        {.mistakes = {
             {"on and off are exchanged", tensor({0, 0, 1, 1, 0})},
             {"these are the states 1 and -1; 1 and 0 are asked for", tensor({-1, -1, 1, 1, -1})},
             {"each step shows the lamp before its presses", tensor({0, 1, 1, 0, 0})}}});
    Rng rng(1);
    std::vector<int> many, dark;
    std::vector<double> on;
    int lamp = 0;
    for (int t = 0; t < 200; ++t) {
        many.push_back(static_cast<int>(rng.below(2)));
        dark.push_back(rng.below(8) == 0);
        lamp = dark.back() ? 0 : lamp ^ many.back();
        on.push_back(lamp);
    }
    judge.equal(
        "two hundred random presses", [&] { return my_lamp(Indices(many), Indices(dark)); },
        tensor(on));
}
