#include "bench/race.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/results.h"

namespace heed::bench {

void race(std::vector<Contender>& all, int rounds, double seconds,
          const std::function<void()>& after_heed) {
    for (int round = 0; round < rounds; ++round)
        for (std::size_t i = 0; i < all.size(); ++i) {
            Contender& next = all[(i + static_cast<std::size_t>(round)) % all.size()];
            next.seconds.push_back(next.worker->go(seconds).median);
            if (&next == &all[0]) after_heed();
        }
    for (Contender& each : all) each.worker->end();
}

std::string heads_of(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names)
        text += fmt::format(" {:>9} | {:<18} |", name, "times as fast");
    return text;
}

std::string rules_of(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) text += fmt::format("{:-<11}|{:-<20}|", "", "");
    return text;
}

std::string cells_of(const std::vector<Contender>& all, const std::vector<std::string>& names,
                     const std::function<std::string(double)>& cell) {
    std::string text;
    for (const std::string& name : names) {
        const auto found = std::find_if(all.begin(), all.end(),
                                        [&](const Contender& c) { return c.name == name; });
        std::string number, times;
        if (found != all.end()) {
            std::vector<double> ratios;
            for (std::size_t i = 0; i < found->seconds.size(); ++i)
                ratios.push_back(found->seconds[i] / all[0].seconds[i]);
            const auto [low, high] = std::minmax_element(ratios.begin(), ratios.end());
            number = cell(median(found->seconds));
            times = fmt::format("{:.2f} ({:.2f} - {:.2f})", median(ratios), *low, *high);
        }
        text += fmt::format(" {:>9} | {:<18} |", number, times);
    }
    return text;
}

}  // namespace heed::bench
