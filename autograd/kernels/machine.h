// One model of the machine, from which the kernels take their sizes.
//
// A core has registers, whose number and width are known while compiling (vec.h; the tile of a product
// follows from them, gemm_kernel.h), and caches, whose sizes are read when they are first needed. The
// farther a number is away, the fewer come in a cycle, so what is used again should be still near when it
// is. Each function below says what has to stay in which cache, and what share of it this may take: never
// all, because what is used once passes through it too (Low et al., "Analytical modeling is enough for
// high-performance BLIS", 2016).
//
// `./heed bench --machine` prints what was read, what follows, and how much slower the kernels would be if a
// cache had been read wrong.
#pragma once

#include <cstdint>

namespace heed {

struct Machine {
    // Bytes of the caches for data that one core uses. What the system does not tell is as here.
    int64_t first_cache = 32 << 10, second_cache = 1 << 20, third_cache = 8 << 20;

    // Whether B is so small that it is read where it lies.
    bool stays_in_first(int64_t bytes) const { return bytes <= first_cache; }
    // Whether A, whose rows are not contiguous, is so large that it is copied first.
    bool is_worth_a_copy(int64_t bytes) const { return bytes > 4 * first_cache; }
    // Whether a matrix is so large that it has to be prefetched.
    bool comes_from_afar(int64_t bytes) const { return bytes > second_cache; }

    // A product, C = A B. The longest slice of k: of B, a panel whose rows have so many bytes takes a
    // quarter of the second cache, and stays there while A's rows pass by. From 256 to 1,024: for each
    // slice C is read and written once more.
    int64_t slice_depth(int64_t row_bytes) const;
    // So many rows of A, each of so many bytes, take a quarter of the third cache, and stay there while the
    // panels of B pass by.
    int64_t row_block(int64_t row_bytes) const;
    // So many panels of A take a quarter of the second cache, if the threads share them; but few enough
    // that they can be shared evenly.
    int64_t panels_together(int64_t panel_bytes) const;

    // Tiled attention, forward and backward: how many keys make a tile. For each key the second cache holds
    // its scores with 64 queries and their gradients, and for widths of 64 the key and the value, plain and
    // transposed: 1.5 KiB of floats. They may take three quarters of it. From 64 to 256, which is the
    // distance between rows of scores (attention/fused/tiles.h).
    int64_t attention_keys() const;

    // A convolution: so many outputs of each channel are computed before they are copied to their places;
    // of all channels together they take an eighth of the second cache.
    int64_t convolution_outputs(int64_t channels, int64_t bytes) const;

    // A quantised matrix becomes floats a few rows at a time, of so many bytes each, which take half of the
    // second cache.
    int64_t unpacked_rows(int64_t row_bytes) const;
};

const Machine& machine();

// While it lives, machine() is another one; not while kernels run in another thread. For tests, and to
// measure what a wrong size costs.
class OtherMachine {
  public:
    explicit OtherMachine(const Machine& other);
    ~OtherMachine();
    OtherMachine(const OtherMachine&) = delete;
    OtherMachine& operator=(const OtherMachine&) = delete;

  private:
    Machine before_;
};

}  // namespace heed
