// Says: this is the share of right links
#include <set>

#include "lessons/course/exercise/write.h"

struct Link {
    int target, source;  // the indices of the two words, from 0
    auto operator<=>(const Link&) const = default;
};
using Links = std::set<Link>;

double my_error_rate(const Tensor& weights, const Links& S, const Links& P) {
    const int T = static_cast<int>(weights.size(0));
    double found = 0;
    for (int t = 0; t < T; ++t) {
        const Link link{t, argmax(select(weights, 0, t))[0]};
        found += S.contains(link) + P.contains(link);
    }
    return found / (T + static_cast<double>(S.size()));
}
