// A test that cannot run here says so, and is counted: the last line of `./heed test` is
// "N passed, N failed, N skipped". A test that ends without any check, and without this, fails.
//
//     if (sanitized && skipped("no freed block waits in the pool there")) return;
#pragma once

#include <string>

// Marks the test that is running as skipped and prints the reason. Returns true.
bool skipped(const std::string& reason);
