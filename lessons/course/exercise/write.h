// What the file of every exercise includes: the libraries, and the mark of what is still to be
// written.
#pragma once

#include "attention/attention.h"

namespace heed::course {

// The body of a function that the reader has not written yet. The judge says so, and no more.
struct NotWritten {};
[[noreturn]] inline void not_written() { throw NotWritten{}; }

}  // namespace heed::course

using namespace heed;
using heed::course::not_written;
