// The bits of one number as another of the same size: std::bit_cast, which the standard library of
// emscripten 3.1, Debian's compiler for WebAssembly, does not have yet.
#pragma once

namespace heed {

template <class To, class From>
constexpr To bit_cast(const From& from) {
    static_assert(sizeof(To) == sizeof(From));
    return __builtin_bit_cast(To, from);
}

}  // namespace heed
