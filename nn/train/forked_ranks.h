// The ranks of data-parallel training (ranks.h) as processes on this machine, without MPI:
//
//     const int64_t sent = run_ranks(2, [&](Ranks& ranks) {
//         train(optimiser, {.steps = 100, .ranks = &ranks}, step);
//     });
//
// The calling process is rank 0. The others are copies of it, made by fork() when run_ranks() is
// called: they have all its variables, and end when `body` returns. What rank 0 changes is there
// afterwards; what the others change is lost.
#pragma once

#include <functional>

#include "nn/train/ranks.h"

namespace heed {

// Calls body on `size` ranks and returns the bytes that rank 0 has sent. The ranks are connected in a
// ring by pairs of sockets. While body runs, every rank computes with one thread; what ranks other
// than 0 print to standard output is dropped.
//
// If body throws on a rank, or a rank is killed, the others end too, and run_ranks() throws: the
// exception of rank 0, or an Error that says which rank ended first and why.
int64_t run_ranks(int size, const std::function<void(Ranks&)>& body);

}  // namespace heed
