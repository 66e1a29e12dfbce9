#pragma once

#include "lessons/course/figures/diagram.h"

namespace heed::lesson24 {

// BERT with its two heads: one fills the gaps, the other one names the topic.
course::Diagram two_heads();

}  // namespace heed::lesson24
