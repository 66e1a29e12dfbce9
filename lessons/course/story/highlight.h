// C++ as HTML, with classes for what the reader's eye should find: k keywords, c comments, s strings,
// n numbers, f names that are called.
#pragma once

#include <string>
#include <string_view>

namespace heed::course {

std::string highlighted(std::string_view code);

}  // namespace heed::course
