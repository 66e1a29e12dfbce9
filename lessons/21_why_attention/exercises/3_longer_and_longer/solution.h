#include <string>

#include "lessons/course/exercise/write.h"

// 6 D^2 for each position.
std::string my_gru() { return "flat"; }

// 4 D^2 + 2 T D: each position reads all T.
std::string my_attention() { return "rises"; }

// 4 D^2 + 2 * 32 * D. There is no T in it any more.
std::string my_window() { return "flat"; }

// Six operations, whatever the length: all positions are computed at the same time.
std::string my_waiting() { return "flat"; }

// 1 / T.
std::string my_share() { return "falls"; }

// (4 D^2 + 2 T D) / 6 D^2 = 2/3 + T / (3 D).
std::string my_width() { return "falls"; }

// 4 D^2 + 2 T D = 12 D^2, so T = 4 D.
double my_twice() { return 256; }
