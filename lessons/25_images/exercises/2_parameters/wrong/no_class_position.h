// Says: 48 are missing
#include "lessons/course/exercise/write.h"

double my_parameters_7() { return 48 * 49 + 48 + 48 + 16 * 48; }

double my_parameters_14() { return 48 * 196 + 48 + 48 + 5 * 48; }

double my_scores_14() { return 5 * 5; }
