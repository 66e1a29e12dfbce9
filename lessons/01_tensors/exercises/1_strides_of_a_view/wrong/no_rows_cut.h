// Says: the rows that were cut off at the top are not counted
#include "lessons/course/exercise/write.h"

double my_first() { return 1; }
double my_row_stride() { return 2; }
double my_column_stride() { return 6; }
double my_number() { return 11; }
