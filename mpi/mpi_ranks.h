// Data-parallel training (nn/train/ranks.h) by MPI, the standard by which programs on clusters talk to
// each other:
//
//     #include "mpi/mpi_ranks.h"
//
//     int main() {
//         const std::unique_ptr<Ranks> ranks = launched_ranks();      // first of all
//         ...
//         train(optimiser, {.steps = 1000, .ranks = ranks.get()}, step);
//     }
//
//     ./program                   one rank: trains as always
//     mpirun -n 4 ./program       four ranks
//
// MPI is optional. If CMake found it (Debian and Ubuntu: apt install libopenmpi-dev openmpi-bin), link
// heed::mpi; `./heed run FILE.cpp` does so. The program it has compiled is build/release/run/FILE-...
// Without MPI the same program compiles, runs alone, and ends with an error under mpirun.
#pragma once

#include <memory>
#include <string>

#include "nn/train/ranks.h"

namespace heed {

// Whether this library was built with MPI.
bool built_with_mpi();

// The rank that this process is: of those that mpirun has started, or a SingleRank. To be called once
// in a program. The standard output of ranks other than 0 is dropped from here on, so that only rank 0
// prints; standard error is kept. Without OMP_NUM_THREADS, each rank computes with its
// share of the processors of its machine.
//
// If a rank ends with an error or is killed, mpirun ends the others and says which rank it was.
std::unique_ptr<Ranks> launched_ranks();

}  // namespace heed
