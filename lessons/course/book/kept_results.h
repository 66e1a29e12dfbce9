// What a page of the book has in place of results while the reader has not run the lesson: the numbers of our kept
// runs (spread.json), and the captions of the figures and tables that a run would show, with the line that makes them.
#pragma once

#include <map>
#include <string>

#include "lessons/course/contents/kept_seeds.h"
#include "lessons/course/story/source.h"

namespace heed::course {

class KeptResults {
  public:
    // Of the lesson in this folder; of none if the name is empty.
    KeptResults(const std::string& folder, const std::string& root);

    // After this passage: of the claims, figures and tables that its code makes.
    std::string after(const Passage& passage) const;

  private:
    std::string learn_;  // "./heed learn 11 --quick"
    KeptSeeds kept_;
};

// What the code shows, in its order: the captions of figures and tables, and the claims, by name and in words. Only
// what stands in it as plain text.
struct ShownByCode {
    std::vector<std::string> captions;
    std::vector<std::pair<std::string, std::string>> claims;
};
ShownByCode shown_by(const std::string& code);

}  // namespace heed::course
