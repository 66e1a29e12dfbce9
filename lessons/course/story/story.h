// The order in which the text of a lesson is told. The text stands above the code it explains, so it
// is told before the first result of that code: when a line of lesson.cpp shows something, everything
// that is written above this line is told first. A lesson may also name the section it is about to
// run, with lesson.heading(title); such a section waits for its name. The closing sections come after the run, so nothing is lost and nothing is told twice.
#pragma once

#include <string_view>
#include <vector>

#include "lessons/course/story/source.h"
#include "lessons/course/story/where.h"

namespace heed::course {

class Story {
  public:
    Story() = default;
    explicit Story(std::vector<Passage> passages) : passages_(std::move(passages)) {}

    bool empty() const { return passages_.empty(); }

    // Each returns passages that have not been told, in their order; they count as told then.
    std::vector<Passage> introduction();
    std::vector<Passage> up_to(std::string_view section);  // none if there is no such section
    std::vector<Passage> above(
        Where where);  // none for a line of another file; stops before a named section
    std::vector<Passage> rest();

    // Whether the line comes after the closing sections, where main() stands.
    bool in_main(Where where) const;

  private:
    std::vector<Passage> take(std::size_t end);

    std::vector<Passage> passages_;
    std::size_t next_ = 0;
};

}  // namespace heed::course
