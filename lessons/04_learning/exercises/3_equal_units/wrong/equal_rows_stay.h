// Says: to look at the rows of W only, and not at those of its gradient
#include "lessons/course/exercise/write.h"

double my_different_units() { return 4; }
double my_changed_parameters() { return 1; }
double my_different_rows() { return 1; }
