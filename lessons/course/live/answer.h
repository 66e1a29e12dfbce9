// What a page asks of heed, and the answer, both as JSON. The same source answers in the browser and
// in a native program, so that a test can compare the two.
//
//     {"do": "draw", "figure": "softmax", "inputs": {"temperature": 0.5, "mask": 1}}
//     {"svgs": ["<svg ..."], "numbers": [{"name": "entropy", "value": 0.69, "shown": "0.693"}],
//      "text": ""}
//
// `inputs` holds what differs from the first settings: the number of a slider, the index of a choice,
// a text, [true, false, ...] for switches, [x, y] for a place. A figure with a model keeps it:
//
//     {"do": "start", "figure": "spirals", "inputs": {...}, "model": "file"}    a new one; a file is optional
//     {"do": "learn", "figure": "spirals", "inputs": {...}, "milliseconds": 100}    or "steps": 7
//
// learn answers as draw does, and with "more": whether there is more to learn. What cannot be done is
// answered by {"error": "..."}.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "lessons/course/live/live.h"

namespace heed::course {

class Answers {
  public:
    std::string to(const std::string& request);

  private:
    std::map<std::string, std::unique_ptr<LiveModel>> models_;
};

// A number of a figure as the reader sees it.
std::string shown(const LiveNumber& number);

}  // namespace heed::course
