// --repeat N of every lesson: runs the lesson with N seeds and shows how each claim's measurement is
// spread. The bar of a claim is set where at least 99 of 100 seeds hold it; this command shows
// whether it is.
//
//     ./heed learn 18 --repeat 20        seeds 1 to 20, or from --seed on
//
// Each seed is a process of its own, one after another. Its results stay in OUT/seeds/SEED, and a
// seed that this program has already run with the same options is not run again, so that a command
// that was stopped goes on where it was. The summary is printed and written to OUT/seeds.json; with
// --keep it also goes to the lesson's folder (report/other_seeds.h).
#pragma once

#include <string>
#include <vector>

#include "lessons/course/lesson/options.h"
#include "lessons/course/terminal/screen.h"

namespace heed::course {

// The measurements of one claim, one for each seed.
struct Spread {
    std::string name, text, expected;  // nothing is expected of a number that is only recorded
    std::vector<double> measured;      // NaN where it was not a finite number
    int held = 0;                      // the number of seeds for which the claim held
};

// The value below which the share p of the numbers lies, with linear interpolation between them as
// in NumPy. NaN if there are none; numbers that are NaN count as the lowest.
double quantile(std::vector<double> numbers, double p);

// Two lines for a claim: how many seeds held it, and the quantiles. "Normal" are the 1 % and 99 %
// quantiles of a normal distribution with the same mean and deviation; with 20 seeds they are better
// guesses of the rare cases than the lowest and highest number.
std::string to_text(const Spread& spread, const Screen& screen);

// Runs the program argv[0] with the options of argv for each of options.repeat seeds and shows the
// spread. Returns 0 if all claims hold with all seeds, 1 otherwise. Throws heed::Error if a run
// fails.
int run_repeatedly(const About& about, const Options& options, int argc, char** argv,
                   const Screen& screen);

}  // namespace heed::course
