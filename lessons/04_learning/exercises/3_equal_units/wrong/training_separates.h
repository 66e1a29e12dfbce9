// Says: to expect that training makes equal units different
#include "lessons/course/exercise/write.h"

double my_different_units() { return 6; }
double my_changed_parameters() { return 1; }
double my_different_rows() { return 6; }
