// A figure that the reader can change, as a part of a page. It is complete without JavaScript: a picture of
// the first settings, and controls that are turned off. When heed has been loaded, the script of the page
// (pages/live.js) turns them on and exchanges the picture.
#pragma once

#include <string>
#include <string_view>

#include "lessons/course/live/live.h"

namespace heed::course {

// `about`, as HTML, says what to try. `model` is a file of parameters for a figure
// that loads them; the page then contains them. A figure that needs parameters and has none shows only
// what to do about it.
std::string figure_html(const LiveFigure& figure, const std::string& about,
                        const std::string& model = "");

// Whether a part of a page has such a figure.
bool has_live_figure(std::string_view html);

}  // namespace heed::course
