// An n-gram language model: it counts how often each character follows a context h of n - 1
// characters.
//
//     p(c | h) = (N(h c) + U(h) p(c | h')) / (N(h) + U(h))
//
// N counts occurrences, U(h) is the number of different characters that followed h, and h' is h
// without its oldest character; before the empty context, p(c) = 1 / V. So the estimate of a long
// context is interpolated with that of the next shorter one, which gets more weight if many
// different characters followed the long one (Witten and Bell 1991, method C).
#pragma once

#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace heed::lesson23 {

class Counts {
  public:
    // Contexts of 0 .. longest characters.
    Counts(const std::vector<int>& text, int alphabet, int longest)
        : alphabet_(alphabet), longest_(longest) {
        for (std::size_t i = 0; i < text.size(); ++i) {
            std::uint64_t context = empty;
            for (int n = 0; n <= longest && n <= static_cast<int>(i); ++n) {
                if (n > 0) context = longer(context, text[i - n]);
                Context& all = contexts_[context];
                ++all.total;
                if (++pairs_[pair(context, text[i])] == 1) ++all.types;
            }
        }
    }

    // The probability of text[i] after the (at most) `n` characters before it.
    double probability(const std::vector<int>& text, std::size_t i, int n) const {
        double p = 1.0 / alphabet_;
        std::uint64_t context = empty;
        for (int used = 0; used <= n && used <= longest_ && used <= static_cast<int>(i); ++used) {
            if (used > 0) context = longer(context, text[i - used]);
            p = refined(p, context, text[i]);
        }
        return p;
    }

    // The mean of -ln p over a text.
    double loss(const std::vector<int>& text, int n) const {
        double total = 0;
        for (std::size_t i = 0; i < text.size(); ++i) total -= std::log(probability(text, i, n));
        return total / static_cast<double>(text.size());
    }

    // The share of positions of a text whose context of `n` characters has been counted.
    double seen(const std::vector<int>& text, int n) const {
        std::size_t found = 0;
        for (std::size_t i = static_cast<std::size_t>(n); i < text.size(); ++i) {
            std::uint64_t context = empty;
            for (int used = 1; used <= n; ++used) context = longer(context, text[i - used]);
            found += contexts_.count(context);
        }
        return static_cast<double>(found) / static_cast<double>(text.size() - n);
    }

    std::size_t stored() const { return pairs_.size(); }  // number of counts in the tables

  private:
    struct Context {
        std::int64_t total = 0, types = 0;
    };
    static constexpr std::uint64_t empty = 0x9E3779B97F4A7C15;

    // A context is represented by a hash of 64 bits (SplitMix64); a collision among millions is
    // improbable.
    static std::uint64_t mixed(std::uint64_t x) {
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
        x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
        return x ^ (x >> 31);
    }
    static std::uint64_t longer(std::uint64_t context, int older) {
        return mixed(context + static_cast<std::uint64_t>(older) + 1);
    }
    static std::uint64_t pair(std::uint64_t context, int next) {
        return mixed(~context + static_cast<std::uint64_t>(next) + 1);
    }
    double refined(double shorter, std::uint64_t context, int next) const {
        const auto found = contexts_.find(context);
        if (found == contexts_.end()) return shorter;
        const auto seen = pairs_.find(pair(context, next));
        const double count = seen == pairs_.end() ? 0 : static_cast<double>(seen->second);
        const auto total = static_cast<double>(found->second.total),
                   types = static_cast<double>(found->second.types);
        return (count + types * shorter) / (total + types);
    }

    int alphabet_, longest_;
    std::unordered_map<std::uint64_t, Context> contexts_;
    std::unordered_map<std::uint64_t, std::int64_t> pairs_;
};

}  // namespace heed::lesson23
