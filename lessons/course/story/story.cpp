#include "lessons/course/story/story.h"

#include <algorithm>

namespace heed::course {

std::vector<Passage> Story::take(std::size_t end) {
    if (end <= next_) return {};
    const auto first = passages_.begin() + static_cast<std::ptrdiff_t>(next_);
    const auto last = passages_.begin() + static_cast<std::ptrdiff_t>(end);
    next_ = end;
    return {first, last};
}

std::vector<Passage> Story::introduction() {
    std::size_t end = next_;
    while (end < passages_.size() && passages_[end].section.empty()) ++end;
    return take(end);
}

std::vector<Passage> Story::up_to(std::string_view section) {
    for (std::size_t i = next_; i < passages_.size(); ++i)
        if (passages_[i].first && passages_[i].section == section) return take(i + 1);
    return {};
}

std::vector<Passage> Story::above(Where where) {
    if (!std::string_view(where.file_name()).ends_with("lesson.cpp")) return {};
    std::size_t end = next_;
    while (end < passages_.size() && !passages_[end].closing &&
           !(passages_[end].first && passages_[end].named) &&
           passages_[end].code_line <= static_cast<int>(where.line()))
        ++end;
    return take(end);
}

std::vector<Passage> Story::rest() { return take(passages_.size()); }

bool Story::in_main(Where where) const {
    return std::any_of(passages_.begin(), passages_.end(), [&](const Passage& passage) {
        return passage.closing && passage.code_line <= static_cast<int>(where.line());
    });
}

}  // namespace heed::course
