#include "lessons/course/live/figure_html.h"
#include "lessons/course/story/prose.h"

namespace heed::course {

std::string prose_html(std::string_view markdown) {
    return prose_html(markdown, [](const std::string& name, const std::string& about) {
        return figure_html(live_figure(name), about);
    });
}

}  // namespace heed::course
