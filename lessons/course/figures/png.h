// A grey PNG image (PNG specification, third edition, section 5), for pictures inside SVG.
#pragma once

#include <string>
#include <vector>

namespace heed::course {

// Pixels run from 0 (black) to 1 (white), [height, width]; values outside are cut. The file's
// bytes.
std::string grey_png(const std::vector<double>& pixels, int height, int width);

// Bytes as a data: address of that media type, in base64.
std::string data_address(const std::string& bytes, const std::string& media_type);

}  // namespace heed::course
