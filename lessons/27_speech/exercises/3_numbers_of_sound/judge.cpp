#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.number(
        "frames of one second", my_frames, 49,
        {.tolerance = 1e-6,
         .mistakes = {{"the last of these frames would reach beyond the end of the sound", 50},
                      {"the first frame is not counted", 48},
                      {"the number of frames is a whole number: round down", 49.75},
                      {"the frames overlap: a new one starts every 160 samples", 40}}});
    judge.number(
        "the step of each number", my_step, std::log(100.),
        {.formula = "ln(a P) = ln a + ln P",
         .mistakes = {
             {"the samples grow by 10, but the powers are squares", std::log(10.)},
             {"this is the logarithm with the base 10", 2},
             {"these are decibels", 20},
             {"this is the factor of the power; a logarithm turns it into a sum", 100},
             {"the numbers of a frame are logarithms, and they do not grow by a factor", 10}}});
    judge.number("the reach of two convolutions", my_reach, 13,
                 {.tolerance = 1e-6,
                  .mistakes = {{"this is the reach of one convolution", 7},
                               {"the frame itself is counted twice", 14},
                               {"the frame itself is not counted", 12},
                               {"the reaches add up, they are not multiplied", 49},
                               {"this is one side only", 6}}});
}
