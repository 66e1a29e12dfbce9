#include "lessons/course/exercise/write.h"

// s begins at row 1, column 1 of x, which is position 1 * 6 + 1 * 1. A row of s is a row of x; a
// column of s is two columns of x.
double my_first() { return 7; }

// The transpose exchanges the strides of s, which are 6 and 2. The first element stays.
double my_row_stride() { return 2; }
double my_column_stride() { return 6; }

// p = p0 + i s0 + j s1
double my_number() { return 7 + 2 * 2 + 1 * 6; }
