// Says: the last token does not see the first one itself
#include <cmath>

#include "lessons/course/exercise/write.h"

double my_layers() { return std::ceil(4095 / 64.); }

double my_features() { return 4096 / 2; }

double my_more_features() { return 64 * 25; }

double my_global_layers() { return 1; }
