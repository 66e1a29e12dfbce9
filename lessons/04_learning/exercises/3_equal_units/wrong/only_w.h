// Says: only the rows of W are compared
#include "lessons/course/exercise/write.h"

double my_different_units() { return 2; }
double my_changed_parameters() { return 1; }
double my_different_rows() { return 6; }
