#include "autograd/kernels/machine.h"

#include <algorithm>

#include "autograd/base/processors.h"

namespace heed {
namespace {

Machine read_machine() {
    const Machine usual;
    const auto bytes = [](int level, int64_t otherwise) {
        return std::max<int64_t>(cache_bytes(level).value_or(otherwise), 8 << 10);
    };
    return {bytes(1, usual.first_cache), bytes(2, usual.second_cache), bytes(3, usual.third_cache)};
}

Machine& current() {
    static Machine machine = read_machine();
    return machine;
}

}  // namespace

int64_t Machine::slice_depth(int64_t row_bytes) const {
    return std::clamp<int64_t>(second_cache / 4 / row_bytes, 256, 1024);
}

int64_t Machine::row_block(int64_t row_bytes) const {
    return std::clamp<int64_t>(third_cache / 4 / row_bytes, 256, 4096);
}

int64_t Machine::panels_together(int64_t panel_bytes) const {
    return std::clamp<int64_t>(second_cache / 4 / panel_bytes, 1, 12);
}

int64_t Machine::attention_keys() const {
    constexpr int64_t queries = 64, width = 64, of_key = (2 * queries + 4 * width) * sizeof(float);
    return std::clamp<int64_t>(second_cache * 3 / 4 / of_key / 64 * 64, 64, 256);
}

int64_t Machine::convolution_outputs(int64_t channels, int64_t bytes) const {
    return std::clamp<int64_t>(second_cache / 8 / (channels * bytes), 128, 2048);
}

int64_t Machine::unpacked_rows(int64_t row_bytes) const {
    return std::clamp<int64_t>(second_cache / 2 / row_bytes / 16 * 16, 64, 512);
}

const Machine& machine() { return current(); }

OtherMachine::OtherMachine(const Machine& other) : before_(current()) { current() = other; }
OtherMachine::~OtherMachine() { current() = before_; }

}  // namespace heed
