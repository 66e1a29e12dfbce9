// A register full of numbers. Vec<float> and Vec<double> are the compiler's own vector types under
// the operators of arithmetic, so that one source serves AVX-512 (64 bytes), AVX2 (32), NEON and
// SSE2 (16). Code written for a generic type T runs on float, on Vec<float> and on Tensor alike.
// Every function here is a handful of instructions and touches no memory but what it is given.
#pragma once

#if defined(__AVX__)
#include <immintrin.h>
#endif

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

// The library may be compiled for wider registers than a program that uses it. Each compiles the kernels
// in headers anew, and the linker takes one of two functions of one name. So these are in an inline
// namespace that is named by the registers, and have different names:
//
//     namespace heed { inline namespace HEED_REGISTERS { ... } }
//
// Whatever is in it is defined in headers.
#if defined(__AVX512F__)
#define HEED_REGISTERS avx512
#elif defined(__AVX__)
#define HEED_REGISTERS avx
#elif defined(__aarch64__)
#define HEED_REGISTERS arm64
#else
#define HEED_REGISTERS baseline
#endif

namespace heed {
inline namespace HEED_REGISTERS {

#if defined(__AVX512F__)
inline constexpr int vec_bytes = 64;
inline constexpr int vec_registers = 32;
#elif defined(__AVX__)
inline constexpr int vec_bytes = 32;
inline constexpr int vec_registers = 16;
#elif defined(__aarch64__)
inline constexpr int vec_bytes = 16;
inline constexpr int vec_registers = 32;
#else
inline constexpr int vec_bytes = 16;
inline constexpr int vec_registers = 16;
#endif

template <class T>
struct Vec {
    static constexpr int lanes = vec_bytes / sizeof(T);
    typedef T Register __attribute__((vector_size(vec_bytes)));
    using Integer = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;
    typedef Integer Mask __attribute__((vector_size(vec_bytes)));  // per lane: -1 true, 0 false

    Register r;

    Vec() = default;
    Vec(Register x) : r(x) {}
    Vec(double x) : r(static_cast<T>(x) - Register{}) {}  // every lane (x - 0 is x, -0 included)

    static Vec load(const T* p) {
        Vec v;
        std::memcpy(&v.r, p, sizeof(Register));
        return v;
    }
    void store(T* p) const { std::memcpy(p, &r, sizeof(Register)); }

    // The first n lanes only, 0 <= n <= lanes; the others read as zero and are not written.
    static Vec load(const T* p, int64_t n);
    void store(T* p, int64_t n) const;

    T operator[](int lane) const { return r[lane]; }

    friend Vec operator+(Vec a, Vec b) { return a.r + b.r; }
    friend Vec operator-(Vec a, Vec b) { return a.r - b.r; }
    friend Vec operator*(Vec a, Vec b) { return a.r * b.r; }
    friend Vec operator/(Vec a, Vec b) { return a.r / b.r; }
    friend Vec operator-(Vec a) { return -a.r; }
    friend Vec& operator+=(Vec& a, Vec b) { return a = a + b; }
    friend Vec& operator-=(Vec& a, Vec b) { return a = a - b; }
    friend Vec& operator*=(Vec& a, Vec b) { return a = a * b; }
    friend Vec& operator/=(Vec& a, Vec b) { return a = a / b; }
    friend Mask operator<(Vec a, Vec b) { return a.r < b.r; }
    friend Mask operator>(Vec a, Vec b) { return a.r > b.r; }
    friend Mask operator<=(Vec a, Vec b) { return a.r <= b.r; }
    friend Mask operator>=(Vec a, Vec b) { return a.r >= b.r; }
    friend Mask operator==(Vec a, Vec b) { return a.r == b.r; }
    friend Mask operator!=(Vec a, Vec b) { return a.r != b.r; }
};

// With AVX-512 some lanes are as cheap as all. Without it all are most often asked for, and are cheaper.
template <class T>
Vec<T> Vec<T>::load(const T* p, int64_t n) {
#if defined(__AVX512F__)
    if constexpr (sizeof(T) == 4) return _mm512_maskz_loadu_ps((1u << n) - 1, p);
    if constexpr (sizeof(T) == 8) return _mm512_maskz_loadu_pd((1u << n) - 1, p);
#else
    if (n == lanes) return load(p);
#if defined(__AVX__)
    Mask lane;  // 0, 1, 2, ...: a constant, once compiled
    for (int i = 0; i < lanes; ++i) lane[i] = i;
    const __m256i mask = (__m256i)(lane < static_cast<Integer>(n));
    if constexpr (sizeof(T) == 4) return _mm256_maskload_ps(p, mask);
    if constexpr (sizeof(T) == 8) return _mm256_maskload_pd(p, mask);
#endif
    T buffer[lanes] = {};
    for (int i = 0; i < n; ++i) buffer[i] = p[i];
    return load(buffer);
#endif
}

template <class T>
void Vec<T>::store(T* p, int64_t n) const {
#if defined(__AVX512F__)
    if constexpr (sizeof(T) == 4) return _mm512_mask_storeu_ps(p, (1u << n) - 1, r);
    if constexpr (sizeof(T) == 8) return _mm512_mask_storeu_pd(p, (1u << n) - 1, r);
#else
    if (n == lanes) return store(p);
    // In pieces of half a register, a quarter, ...: a masked store of AVX2 is slow on AMD's processors.
    T buffer[lanes];
    store(buffer);
    int64_t i = 0;
#pragma GCC unroll 4
    for (int half = lanes / 2; half > 0; half /= 2)
        if (n & half) {
            std::memcpy(p + i, buffer + i, half * sizeof(T));
            i += half;
        }
#endif
}

// Lane by lane: yes where the mask is true, no where it is not.
template <class T>
Vec<T> where(typename Vec<T>::Mask mask, Vec<T> yes, Vec<T> no) {
    return mask ? yes.r : no.r;
}

// a > b ? a : b, so a NaN in either gives b.
template <class T>
Vec<T> maximum(Vec<T> a, Vec<T> b) {
    return a.r > b.r ? a.r : b.r;
}

template <class T>
Vec<T> minimum(Vec<T> a, Vec<T> b) {
    return a.r < b.r ? a.r : b.r;
}

// A number may stand for a register, as it may for a tensor.
template <class T>
Vec<T> where(typename Vec<T>::Mask mask, Vec<T> yes, double no) {
    return where(mask, yes, Vec<T>(no));
}
template <class T>
Vec<T> where(typename Vec<T>::Mask mask, double yes, Vec<T> no) {
    return where(mask, Vec<T>(yes), no);
}
template <class T>
Vec<T> maximum(Vec<T> a, double b) {
    return maximum(a, Vec<T>(b));
}
template <class T>
Vec<T> minimum(Vec<T> a, double b) {
    return minimum(a, Vec<T>(b));
}

// The sign is the top bit; abs clears it, copy_sign(x, s) gives x the sign of s.
template <class T>
Vec<T> abs(Vec<T> x) {
    using Mask = typename Vec<T>::Mask;
    return (typename Vec<T>::Register)((Mask)x.r & ~(Mask)Vec<T>(-0.0).r);
}

template <class T>
Vec<T> copy_sign(Vec<T> x, Vec<T> s) {
    using Mask = typename Vec<T>::Mask;
    return (typename Vec<T>::Register)((Mask)abs(x).r | ((Mask)s.r & (Mask)Vec<T>(-0.0).r));
}

// -1, 0 or 1.
template <class T>
Vec<T> sign(Vec<T> x) {
    return where(x > 0, Vec<T>(1), where(x < 0, Vec<T>(-1), 0));
}

// f applied to each lane by itself: for what has no vector form.
template <class T, class F>
Vec<T> each_lane(Vec<T> x, F f) {
    for (int i = 0; i < Vec<T>::lanes; ++i) x.r[i] = f(x.r[i]);
    return x;
}

template <class T>
Vec<T> sqrt(Vec<T> x) {
    return each_lane(x, [](T value) { return std::sqrt(value); });  // compilers make it one vsqrt
}

// Lane i of the result is lane index(i) of x followed by y, so index runs from 0 to 2 lanes - 1.
// It is a lambda without captures, such as [](int i) { return i ^ 1; }.
template <class Index, class T>
Vec<T> shuffle(Vec<T> x, Vec<T> y, Index) {
    const auto select = [&]<int... i>(std::integer_sequence<int, i...>) {
        return Vec<T>(__builtin_shufflevector(x.r, y.r, Index()(i)...));
    };
    return select(std::make_integer_sequence<int, Vec<T>::lanes>());
}

// A square of registers transposed: lane j of x[i] changes places with lane i of x[j]. First the two
// off-diagonal quarters change places, then the same happens in each quarter, and so on.
template <class T, int half = Vec<T>::lanes / 2>
[[gnu::always_inline]] inline void transpose(Vec<T>* x) {
    if constexpr (half > 0) {
        constexpr int lanes = Vec<T>::lanes;
        // Unrolled, or the registers would go through memory between one exchange and the next.
#pragma GCC unroll 16
        for (int i = 0; i < lanes; ++i) {
            if (i & half) continue;
            const Vec<T> a = x[i], b = x[i + half];
            x[i] = shuffle(a, b, [](int j) { return j & half ? lanes + j - half : j; });
            x[i + half] = shuffle(a, b, [](int j) { return j & half ? lanes + j : j + half; });
        }
        transpose<T, half / 2>(x);
    }
}

// The sums of as many registers as one has lanes: lane i is the sum of x[i]. It is transpose() with
// an addition after each exchange, which halves the number of registers. Destroys x.
template <class T, int half = Vec<T>::lanes / 2>
[[gnu::always_inline]] inline Vec<T> sums(Vec<T>* x) {
    if constexpr (half == 0) {
        return x[0];
    } else {
        constexpr int lanes = Vec<T>::lanes;
        for (int i = 0; i < half; ++i) {
            const Vec<T> a = x[i], b = x[i + half];
            x[i] = shuffle(a, b, [](int j) { return j & half ? lanes + j - half : j; }) +
                   shuffle(a, b, [](int j) { return j & half ? lanes + j : j + half; });
        }
        return sums<T, half / 2>(x);
    }
}

// All lanes into one number: first the two halves lane by lane, then the halves of that, ...
template <int distance, class T, class Combine>
T fold(Vec<T> x, Combine combine) {
    if constexpr (distance == 0) {
        return x.r[0];
    } else {
        const Vec<T> other = shuffle(x, x, [](int i) { return i ^ distance; });
        return fold<distance / 2>(combine(x, other), combine);
    }
}

// The sum and the largest of the lanes, always in the same order.
template <class T>
T sum(Vec<T> x) {
    return fold<Vec<T>::lanes / 2>(x, [](Vec<T> a, Vec<T> b) { return a + b; });
}

template <class T>
T largest(Vec<T> x) {
    return fold<Vec<T>::lanes / 2>(x, [](Vec<T> a, Vec<T> b) { return maximum(a, b); });
}

}  // namespace HEED_REGISTERS
}  // namespace heed
