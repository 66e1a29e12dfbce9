// The order in which the text of a lesson is shown. The text stands above the code that it explains, and
// it is shown before the first result of this code: when a line of lesson.cpp shows a result, all text
// above this line is shown first. Where parts run in another order than they stand in the file, each
// begins with lesson.heading(title): the text of this section is shown then, and not before. The
// closing sections are shown after the run. Every passage is shown exactly once.
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

    // Each returns passages that have not been shown yet, in their order, and marks them as shown.
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
