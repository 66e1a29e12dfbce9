// The script of a page with live figures. It loads heed.js, which lies beside the page, when the reader
// comes near the first figure; heed then runs in a worker, so that the page stays smooth.
#pragma once

#include <string>
#include <string_view>

namespace heed::course {

std::string_view live_script();

// Copies heed for browsers, which ./heed book builds, into the folder of a page. Returns false if it is
// not built; figures then stay as they are, and say so.
bool copy_web_module(const std::string& folder);

}  // namespace heed::course
