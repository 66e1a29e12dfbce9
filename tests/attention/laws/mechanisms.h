// Every attention mechanism of the library as a subject of the laws, with the laws it is exempt
// from and the reason. test_laws_page.cpp holds each to all others, and shows the table in
// attention/laws/laws.md.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/attention/laws/subject.h"

namespace heed::laws {

struct Mechanism {
    // The first word of the name is a public name of attention/.
    Subject subject;
    // Laws that the mechanism breaks on purpose, with the reason. The test requires that it really
    // breaks them, so that no exemption hides a law that holds.
    std::map<std::string, std::string> exempt = {};
    // Laws that cannot be asked of it: they would hold without saying anything, or have no meaning.
    std::map<std::string, std::string> not_asked = {};
};

std::vector<Mechanism> all_mechanisms();

// Public names of attention/ that are no attention mechanism, with the reason.
const std::map<std::string, std::string>& not_mechanisms();

}  // namespace heed::laws
