#include "lessons/course/exercise/write.h"

// Two units stay equal if all their parameters are equal: W, b and also w, because the gradient of
// a unit is multiplied by its output weight. The groups are 1 and 2; 3; 4 and 5; 6.
double my_different_units() { return 4; }

// All activations are 0, so w gets no gradient; w is 0, so W and b get none. Only b' does: the
// derivative of z with respect to b' is 1. It learns which class is more frequent.
double my_changed_parameters() { return 1; }

// The gradient of row i is multiplied by w_i. Six different numbers make six different steps.
double my_different_rows() { return 6; }
