#include "nn/layers/ctc.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "autograd/base/parallel.h"
#include "autograd/base/settings.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/elementwise/compare.h"
#include "autograd/ops/elementwise/unary.h"
#include "autograd/ops/index/indexing.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/record/record.h"
#include "autograd/tensor/shapes.h"

namespace heed {
namespace {

constexpr double nothing = -std::numeric_limits<double>::infinity();  // ln 0

// ln(e^x + e^y + ...), for infinities and NaN as logsumexp().
template <class... Numbers>
double log_sum(Numbers... x) {
    const double largest = std::max({x...}), m = std::isfinite(largest) ? largest
                                                 : largest > 0 ? std::numeric_limits<double>::max()
                                                               : 0;
    return m + std::log((std::exp(x - m) + ...));
}

// --- the states of each row ---------------------------------------------------------------------

// The classes z of one row: blank, label, blank, ..., blank.
struct States {
    std::vector<int> classes;
    int64_t frames;
    int blank;

    int64_t count() const { return std::ssize(classes); }
    bool may_skip(int64_t s) const {  // from s - 2 to s
        return s >= 2 && classes[s] != blank && classes[s] != classes[s - 2];
    }
    bool is_end(int64_t s) const { return s >= count() - 2; }  // the last label or the last blank
};

// Those of all rows. Throws for what does not fit.
std::vector<States> states_of(const char* name, const Tensor& x, const Indices& labels,
                              const Indices& lengths, const Indices& label_lengths, int blank) {
    const Shapes in(name, {{"log_probabilities", x, "B T C"},
                           {"labels", labels, "? B S"},
                           {"lengths", lengths, "? B"},
                           {"label_lengths", label_lengths, "? B"}});
    check(blank >= 0 && blank < in["C"], "blank {} is outside [0, {}), the classes of {}", blank,
          in["C"], x.shape());
    const int64_t most = labels.count() > 0 ? labels.size(1) : 0;
    std::vector<States> all;
    for (int64_t b = 0; b < in["B"]; ++b) {
        const int64_t frames = lengths.count() > 0 ? lengths[b] : in["T"],
                      count = label_lengths.count() > 0 ? label_lengths[b] : most;
        check(frames >= 0 && frames <= in["T"],
              "a length of {} in row {} is outside 0 to {}, the frames of {}", frames, b, in["T"],
              x.shape());
        check(count >= 0 && count <= most,
              "{} labels in row {} are outside 0 to {}, those of labels {}", count, b, most,
              labels.shape());
        std::vector<int> classes{blank};
        for (int64_t i = 0; i < count; ++i) {
            const int label = labels.at({b, i});
            check(label >= 0 && label < in["C"] && label != blank,
                  "label {} at [{}, {}]; expected a class in [0, {}) that is not the blank, {}",
                  label, b, i, in["C"], blank);
            classes.insert(classes.end(), {label, blank});
        }
        all.push_back({std::move(classes), frames, blank});
    }
    return all;
}

// --- the kernel ---------------------------------------------------------------------------------

// a_t from a_{t - 1}, in place from the last state to the first; x are the log-probabilities at frame t.
template <class T>
void step_forward(const States& z, const T* x, std::vector<double>& a) {
    for (int64_t s = z.count() - 1; s >= 0; --s)
        a[s] = x[z.classes[s]] +
               log_sum(a[s], s >= 1 ? a[s - 1] : nothing, z.may_skip(s) ? a[s - 2] : nothing);
}

// The share of the paths that pass each state at some frame; `on_a_path` are the states from which the end can
// be reached at all.
struct Shares {
    std::vector<double> of;
    std::vector<bool> on_a_path;
};

// Those at frame t - 1 from those at t: what a state has comes from the states before it, in proportion to the
// probability of their ways, e^a. Nothing comes from where a is -∞.
void step_back(const States& z, const std::vector<double>& a, Shares& shares) {
    Shares before{std::vector<double>(z.count(), 0), std::vector<bool>(z.count(), false)};
    for (int64_t s = 0; s < z.count(); ++s) {
        if (!shares.on_a_path[s]) continue;
        const int64_t first = z.may_skip(s) ? s - 2 : s >= 1 ? s - 1 : s;
        const double all =
            log_sum(a[s], s >= 1 ? a[s - 1] : nothing, z.may_skip(s) ? a[s - 2] : nothing);
        for (int64_t r = first; r <= s; ++r) {
            before.of[r] += shares.of[s] * (all == nothing ? 0 : std::exp(a[r] - all));
            before.on_a_path[r] = true;
        }
    }
    shares = std::move(before);
}

std::vector<double> before_first_frame(const States& z) {
    std::vector<double> a(z.count(), nothing);
    a[0] = 0;
    return a;
}
double loss_at_end(const std::vector<double>& a) {
    return -log_sum(a.back(), a.size() > 1 ? a[a.size() - 2] : nothing);
}

template <class T>
double row_loss(const States& z, const T* x, int64_t classes) {
    std::vector<double> a = before_first_frame(z);
    for (int64_t t = 0; t < z.frames; ++t) step_forward(z, x + t * classes, a);
    return loss_at_end(a);
}

// dx[t][c] = -g times the share of paths that say class c at frame t.
template <class T>
void row_gradient(const States& z, const T* x, double g, T* dx, int64_t classes) {
    std::vector<std::vector<double>> a{before_first_frame(z)};  // of all frames
    for (int64_t t = 0; t < z.frames; ++t) {
        a.push_back(a.back());
        step_forward(z, x + t * classes, a.back());
    }
    const double loss = loss_at_end(a.back());
    Shares shares{std::vector<double>(z.count(), 0), std::vector<bool>(z.count(), false)};
    for (int64_t s = 0; s < z.count(); ++s)
        if (z.is_end(s)) shares.of[s] = std::exp(a.back()[s] + loss), shares.on_a_path[s] = true;
    for (int64_t t = z.frames - 1; t >= 0; --t) {
        for (int64_t s = 0; s < z.count(); ++s)
            if (shares.on_a_path[s])
                dx[t * classes + z.classes[s]] -= static_cast<T>(g * shares.of[s]);
        step_back(z, a[t], shares);
    }
}

Tensor losses_of(const Tensor& x, const std::vector<States>& states) {
    const Tensor rows = contiguous(detach(x));
    const int64_t classes = x.size(2), numbers = x.size(1) * classes;
    Tensor losses = empty({x.size(0)}, x.dtype());
    with_dtype(x.dtype(), [&]<class T>(T) {
        const T* from = rows.data<T>();
        T* loss = losses.edit<T>();
        parallel_for(x.size(0), 1, [&](int64_t begin, int64_t end) {
            for (int64_t b = begin; b < end; ++b)
                loss[b] = static_cast<T>(row_loss(states[b], from + b * numbers, classes));
        });
    });
    return losses;
}

// A loss that gets no gradient passes none on, even if it is ∞.
Tensor gradient_of(const Tensor& g, const Tensor& x, const std::vector<States>& states) {
    const Tensor rows = contiguous(detach(x)), weights = contiguous(detach(g));
    const int64_t classes = x.size(2), numbers = x.size(1) * classes;
    Tensor gradient = zeros(x.shape(), x.dtype());
    with_dtype(x.dtype(), [&]<class T>(T) {
        const T *from = rows.data<T>(), *weight = weights.data<T>();
        T* dx = gradient.edit<T>();
        parallel_for(x.size(0), 1, [&](int64_t begin, int64_t end) {
            for (int64_t b = begin; b < end; ++b)
                if (weight[b] != 0)
                    row_gradient(states[b], from + b * numbers, weight[b], dx + b * numbers,
                                 classes);
        });
    });
    return gradient;
}

// --- the definition -----------------------------------------------------------------------------

// The losses of all rows together, as the formula says, in plain operations. Shorter rows have states
// that cannot be reached, and stand still behind their last frame.
Tensor losses_by_formula(const Tensor& x, const std::vector<States>& states) {
    const int64_t B = x.size(0), T = x.size(1);
    int64_t most = 1;
    for (const States& z : states) most = std::max(most, z.count());
    std::vector<int> classes(B * T * most, 0);
    std::vector<double> skips(B * most), ends(B * most), begins(B * most), goes_on(T * B);
    for (int64_t b = 0; b < B; ++b) {
        const States& z = states[b];
        for (int64_t s = 0; s < most; ++s) {
            const bool exists = s < z.count();
            for (int64_t t = 0; t < T; ++t)
                classes[(b * T + t) * most + s] = exists ? z.classes[s] : z.blank;
            skips[b * most + s] = exists && z.may_skip(s);
            ends[b * most + s] = exists && z.is_end(s);
        }
        begins[b * most] = 1;
        for (int64_t t = 0; t < T; ++t) goes_on[t * B + b] = t < z.frames;
    }
    const Dtype dtype = x.dtype();
    const Tensor log_p = gather(x, 2, Indices(std::move(classes), {B, T, most}));  // ln pₜ(z(s))
    const Tensor skip = tensor(skips, {B, most}, dtype), end = tensor(ends, {B, most}, dtype),
                 frame = tensor(goes_on, {T, B, 1}, dtype);
    const auto moved = [&](const Tensor& a, int64_t by) {  // a(s - by)
        return slice(pad(a, 1, by, 0, nothing), 1, 0, most);
    };
    Tensor a = where(tensor(begins, {B, most}, dtype), zeros({B, most}, dtype), nothing);
    for (int64_t t = 0; t < T; ++t) {
        const Tensor ways = stack({a, moved(a, 1), where(skip, moved(a, 2), nothing)});
        a = where(frame[t], select(log_p, 1, t) + logsumexp(ways, 0), a);
    }
    return -logsumexp(where(end, a, nothing), 1);
}

// Losses [B] of rows with so many labels, put together.
Tensor reduced(const Tensor& losses, const std::vector<States>& states, const CtcOptions& options) {
    const Tensor finite = options.zero_infinity ? where(losses == -nothing, 0.0, losses) : losses;
    if (options.reduction != Reduction::mean) return reduce_losses(finite, options.reduction);
    std::vector<double> labels;
    for (const States& z : states)
        labels.push_back(static_cast<double>(std::max<int64_t>(z.count() / 2, 1)));
    return reduce_losses(finite / tensor(labels, losses.dtype()), Reduction::mean);
}

}  // namespace

Tensor ctc_loss(const Tensor& log_probabilities, const Indices& labels, const Indices& lengths,
                const Indices& label_lengths, const CtcOptions& options) {
    const UserCall named("ctc_loss");
    const std::vector<States> states =
        states_of("ctc_loss", log_probabilities, labels, lengths, label_lengths, options.blank);
    const Tensor losses = record_fused(
        "ctc_loss", losses_of(log_probabilities, states), std::array{log_probabilities},
        [=](const Tensor& x) { return losses_by_formula(x, states); },
        [=](const Tensor& g) { return std::array{gradient_of(g, log_probabilities, states)}; });
    return reduced(losses, states, options);
}

Tensor ctc_loss_definition(const Tensor& log_probabilities, const Indices& labels,
                           const Indices& lengths, const Indices& label_lengths,
                           const CtcOptions& options) {
    const UserCall named("ctc_loss_definition");
    const std::vector<States> states = states_of("ctc_loss_definition", log_probabilities, labels,
                                                 lengths, label_lengths, options.blank);
    return reduced(losses_by_formula(log_probabilities, states), states, options);
}

// --- decoding -----------------------------------------------------------------------------------

std::vector<int> ctc_labels(const std::vector<int>& path, Integer blank) {
    std::vector<int> labels;
    for (std::size_t t = 0; t < path.size(); ++t)
        if (path[t] != blank && (t == 0 || path[t] != path[t - 1])) labels.push_back(path[t]);
    return labels;
}

namespace {

// The log-probabilities [T][C] of each row, without the frames that do not count.
std::vector<std::vector<std::vector<double>>> frames_of(const char* name, const Tensor& x,
                                                        const Indices& lengths, int64_t blank) {
    const Shapes in(name, {{"log_probabilities", x, "B T C"}, {"lengths", lengths, "? B"}});
    check(blank >= 0 && blank < in["C"], "blank {} is outside [0, {}), the classes of {}", blank,
          in["C"], x.shape());
    const std::vector<double> numbers = x.to_vector();
    std::vector<std::vector<std::vector<double>>> rows(in["B"]);
    for (int64_t b = 0; b < in["B"]; ++b) {
        const int64_t frames = lengths.count() > 0 ? lengths[b] : in["T"];
        check(frames >= 0 && frames <= in["T"],
              "a length of {} in row {} is outside 0 to {}, the frames of {}", frames, b, in["T"],
              x.shape());
        for (int64_t t = 0; t < frames; ++t) {
            const auto first = numbers.begin() + (b * in["T"] + t) * in["C"];
            rows[b].emplace_back(first, first + in["C"]);
            check(std::none_of(first, first + in["C"], [](double p) { return std::isnan(p); }),
                  "NaN at frame {} of row {}; expected log-probabilities", t, b);
        }
    }
    return rows;
}

// The paths that say one beginning: those that end with a blank, and those that end with its last label.
struct Beginning {
    double blank = nothing, label = nothing;
    double all() const { return log_sum(blank, label); }
};

}  // namespace

std::vector<std::vector<int>> ctc_greedy_decode(const Tensor& log_probabilities,
                                                const Indices& lengths, Integer blank) {
    const UserCall named("ctc_greedy_decode");
    std::vector<std::vector<int>> all;
    for (const auto& frames : frames_of("ctc_greedy_decode", log_probabilities, lengths, blank)) {
        std::vector<int> path;
        for (const std::vector<double>& p : frames)
            path.push_back(static_cast<int>(std::max_element(p.begin(), p.end()) - p.begin()));
        all.push_back(ctc_labels(path, blank));
    }
    return all;
}

std::vector<CtcLabels> ctc_beam_search(const Tensor& log_probabilities, Integer beam,
                                       const Indices& lengths, Integer blank) {
    const UserCall named("ctc_beam_search");
    check_positive("ctc_beam_search", {{"beam", beam}});
    std::vector<CtcLabels> all;
    for (const auto& frames : frames_of("ctc_beam_search", log_probabilities, lengths, blank)) {
        std::vector<std::pair<std::vector<int>, Beginning>> kept{{{}, {.blank = 0}}};
        for (const std::vector<double>& p : frames) {
            std::map<std::vector<int>, Beginning> next;
            for (const auto& [labels, paths] : kept) {
                Beginning& same = next[labels];
                same.blank = log_sum(same.blank, p[blank] + paths.all());
                if (!labels.empty())
                    same.label = log_sum(same.label, p[labels.back()] + paths.label);
                for (int c = 0; c < std::ssize(p); ++c) {
                    if (c == blank) continue;
                    std::vector<int> longer = labels;
                    longer.push_back(c);
                    // The same label once more is a new one only behind a blank.
                    const bool again = !labels.empty() && labels.back() == c;
                    Beginning& one = next[std::move(longer)];
                    one.label = log_sum(one.label, p[c] + (again ? paths.blank : paths.all()));
                }
            }
            kept.assign(next.begin(), next.end());
            const int64_t size = std::min<int64_t>(beam, std::ssize(kept));
            std::partial_sort(
                kept.begin(), kept.begin() + size, kept.end(),
                [](const auto& a, const auto& b) { return a.second.all() > b.second.all(); });
            kept.resize(size);
        }
        all.push_back({kept[0].first, kept[0].second.all()});
    }
    return all;
}

}  // namespace heed
