// A PNG image of one number a pixel (PNG specification, third edition, section 5), for pictures inside SVG.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heed::course {

// The bytes of the file. Pixels are [height, width], from 0 (black) to 1 (white); values outside
// are clipped.
std::string grey_png(const std::vector<double>& pixels, int height, int width);

// The same with 0 in blue, 1 in orange and the middle white: the first two colours of the figures.
std::string two_coloured_png(const std::vector<double>& pixels, int height, int width);

// The bytes as letters of six bits each (RFC 4648, section 4).
std::string base64(std::string_view bytes);

// The bytes as a data: URL of that media type, in base64.
std::string data_address(std::string_view bytes, const std::string& media_type);

}  // namespace heed::course
