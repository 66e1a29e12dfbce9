// A law that has to hold, as a check of a test.
#pragma once

#include "attention/laws/laws.h"
#include "tests/catch.h"

inline void require(const heed::laws::Verdict& verdict) {
    INFO(verdict.law << ": " << verdict.message);
    CHECK(verdict.holds);
}
