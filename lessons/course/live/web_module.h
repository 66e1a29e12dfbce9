// heed for browsers, which lies beside a page with live figures as heed.js. The script of the page
// (pages/live.js) loads it when the reader comes near the first figure; heed then runs in a worker, so
// that the page stays smooth.
#pragma once

#include <string>

namespace heed::course {

// Copies heed.js, which ./heed book builds, into the folder of a page. Returns false if it is not
// built; figures then stay as they are, and say so.
bool copy_web_module(const std::string& folder);

}  // namespace heed::course
