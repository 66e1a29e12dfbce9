// The estimate that is worked by hand, for three widths of the kernel.
#pragma once

#include "lessons/course/course.h"

namespace heed::workshop9 {

// The estimate at 0.5 from three points, with kernels of three widths.
void show_three_points(course::AtCall lesson);

}  // namespace heed::workshop9
