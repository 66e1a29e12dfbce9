// Pages for readers that run no program: e-readers and paper.
#pragma once

#include <string>

namespace heed::course {

// The body of a page without what only a browser can do: the controls of figures that can be changed.
// The figures stay, as they are first drawn.
std::string without_controls(std::string body);

// All occurrences of a part, exchanged for another.
std::string replaced(std::string text, const std::string& part, const std::string& other);

}  // namespace heed::course
