// The wrong attentions of wrong_versions.h as a list, each with the right version it was made from.
#pragma once

#include <string>
#include <vector>

#include "tests/attention/laws/wrong_versions.h"

namespace heed::wrong {

struct Right {
    std::string name;
    laws::Subject subject;
};

struct Wrong {
    std::string name;
    std::string of;  // the name of its right version
    AttentionFunction f;
    std::string law;      // the law that names the mistake best
    std::string message;  // words of that law's verdict
};

const std::vector<Right>& right_versions();
const std::vector<Wrong>& wrong_list();

// The wrong version in place of the right one: with the same sizes, heads and parameters.
laws::Subject subject_of(const Wrong& wrong);

}  // namespace heed::wrong
