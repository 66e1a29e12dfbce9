// Data-parallel training: several processes, the *ranks*, hold the same model. Each reads its part of
// a batch, computes the gradient there, and the gradients are averaged over the ranks before each
// update. So all ranks make the same update, and the model stays the same everywhere.
//
//     train(optimiser, {.steps = 1000, .ranks = &ranks}, [&](int64_t) {
//         const auto batch = batches.next();                    // the same on every rank
//         const Tensor x = part_of(batch.x, ranks);             // the rows of this rank
//         const Indices y = part_of(batch.y, ranks);
//         return StepResult{cross_entropy(model(x), y), x.size(0)};
//     });
//
// A rank's loss is a mean over n of the batch's tokens (or rows, or pixels), and n may differ between
// ranks: one may have longer sentences. Its weight is n, so that each token counts the same:
//
//     L = Σ n L_rank / Σ n        dL/dw = Σ n dL_rank/dw / Σ n
//
// So n ranks train as one process does on the whole batch, up to rounding. Two things differ: batch
// normalisation sees only its part, and random numbers (dropout) drawn from generators in the same
// state are the same numbers on every rank.
//
// How processes reach each other is the business of a class that derives from Ranks:
//   - run_ranks() of nn/train/forked_ranks.h starts them on this machine, without MPI;
//   - launched_ranks() of mpi/mpi_ranks.h: `mpirun -n 4 ./program` started them, perhaps on several
//     machines.
// Such a class only passes bytes to the next rank around a ring. Everything else is built of that,
// here, so sums have the same bits with every class, and the bytes are counted in one place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "autograd/tensor/indices.h"
#include "nn/module/module.h"

namespace heed {

class Ranks {
  public:
    virtual ~Ranks() = default;
    Ranks(const Ranks&) = delete;
    Ranks& operator=(const Ranks&) = delete;

    int rank() const { return rank_; }  // from 0 to size() - 1
    int size() const { return size_; }

    // Each of the following is called by all ranks, in the same order and with the same counts.
    //
    // Replaces x [count] by the sum of the x of all ranks, which has the same bits on every rank.
    // Each rank sends 2 (n - 1) / n times the bytes of x, with n = size(): see ranks.cpp.
    void sum(float* x, int64_t count);
    void sum(double* x, int64_t count);
    // Replaces the bytes by those of rank 0.
    void broadcast(void* bytes, std::size_t count);
    // Returns when all ranks have called it.
    void barrier();

    // The bytes that this rank has sent so far.
    int64_t bytes_sent() const { return bytes_sent_; }

    // This rank cannot go on: the others are to end too. train() calls it with the message of the
    // exception that ends it.
    virtual void abandon(const std::string& message) = 0;

  protected:
    Ranks(int rank, int size);
    // Sends bytes to the next rank, (rank + 1) % size, and receives bytes from the previous one, at
    // the same time. Either count may be 0. Throws heed::Error if a neighbour has ended.
    virtual void pass_on(const void* out, std::size_t out_bytes, void* in,
                         std::size_t in_bytes) = 0;

  private:
    void pass(const void* out, std::size_t out_bytes, void* in, std::size_t in_bytes);
    template <class T>
    void sum_around_the_ring(T* x, int64_t count);

    int rank_ = 0, size_ = 0;
    int64_t bytes_sent_ = 0;
};

// A rank without others.
class SingleRank final : public Ranks {
  public:
    SingleRank() : Ranks(0, 1) {}
    void abandon(const std::string&) override {}

  private:
    void pass_on(const void*, std::size_t, void*, std::size_t) override {}
};

// The rows of a batch that this rank reads: of n ranks, rank r gets the r-th of n parts of the first
// axis, which are equal or differ by one row. Throws if there are fewer rows than ranks.
Tensor part_of(const Tensor& batch, const Ranks& ranks);
Indices part_of(const Indices& batch, const Ranks& ranks);

// For a loop of one's own; train() does both. Gives the parameters the values of rank 0. Throws on a
// rank whose parameters have other names, shapes or dtypes.
void broadcast(const ParameterList& parameters, Ranks& ranks);
// Replaces each gradient by the sum over the ranks, in which each rank has a factor of its own. A rank
// on which no gradient has reached a parameter counts as one with the gradient 0; a parameter without
// gradient on all ranks stays so.
void sum_gradients(const ParameterList& parameters, Ranks& ranks, double factor = 1);
// Replaces each gradient by the mean over the ranks, weighed by the tokens that their losses are means
// of, as above.
void average_gradients(const ParameterList& parameters, Ranks& ranks, Integer tokens = 1);

}  // namespace heed
