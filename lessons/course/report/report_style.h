// The style sheet and the script inside report.html.
//
// A report is one column of prose, as wide as is comfortable to read. Where the window is wide
// enough there is a margin beside it for captions and measured values, as in a textbook.
#pragma once

#include <string_view>

namespace heed::course {

std::string_view report_style();

// When the reader points at a cell of a heat map, or touches it, the script shows its query, key,
// score and weight, and highlights its two labels.
std::string_view report_script();

}  // namespace heed::course
