#include "attention/decoding/speculative.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "autograd/base/settings.h"
#include "autograd/base/user_call.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/record/grad_mode.h"

namespace heed {

namespace {

using Numbers = std::vector<double>;

void check_same_vocabulary(const char* operation, const Numbers& p, const Numbers& q) {
    check(p.size() == q.size(),
          "{}: the target has a vocabulary of {}, the draft of {}; both must have the same tokens",
          operation, p.size(), q.size());
}

}  // namespace

// min(1, p / q)
double acceptance(const Numbers& p, const Numbers& q, int token) {
    check_same_vocabulary("acceptance", p, q);
    check(token >= 0 && token < std::ssize(q) && q[token] > 0,
          "acceptance: token {} has no probability in the draft, which cannot have sampled it",
          token);
    return std::min(1.0, p[token] / q[token]);
}

// max(0, p - q) / Σ max(0, p - q)
Numbers residual_distribution(const Numbers& p, const Numbers& q) {
    check_same_vocabulary("residual_distribution", p, q);
    Numbers rest(p.size());
    double sum = 0;
    for (std::size_t i = 0; i < p.size(); ++i) sum += rest[i] = std::max(0.0, p[i] - q[i]);
    if (sum <= 0) return p;  // p = q to the last bit: nothing is refused
    for (double& each : rest) each /= sum;
    return rest;
}

// ½ Σ |p - q| = 1 - Σ min(p, q)
double total_variation(const Numbers& p, const Numbers& q) {
    check_same_vocabulary("total_variation", p, q);
    double sum = 0;
    for (std::size_t i = 0; i < p.size(); ++i) sum += std::abs(p[i] - q[i]);
    return sum / 2;
}

namespace {

// Row t of log-probabilities [1, T, V].
Numbers row_of(const Tensor& logs, int64_t t) {
    return select(select(logs, 1, t), 0, 0).to_vector();
}

bool nothing_is_possible(const Numbers& logs) {
    return *std::max_element(logs.begin(), logs.end()) == -std::numeric_limits<double>::infinity();
}

Indices one_row(const std::vector<int>& tokens) {
    return Indices(tokens, {1, static_cast<int64_t>(tokens.size())});
}

// The text so far, and how much longer it may become: by the rules of decode() in decode.cpp.
struct Text {
    const DecodeOptions& options;
    Hypothesis& hypothesis;
    bool done = false;

    int64_t length() const { return std::ssize(hypothesis.tokens); }
    // How many tokens may be given to a model beside the last one.
    int64_t room() const { return options.max_length - length() - (options.end < 0 ? 1 : 0); }

    void add(int token, const Numbers& logs) {
        if (length() == options.max_length && token != options.end) {
            done = true;
            return;
        }
        hypothesis.log_probability += logs[token];
        if (token == options.end)
            hypothesis.finished = true;
        else
            hypothesis.tokens.push_back(token);
        done = hypothesis.finished || room() < 0;
    }
    void stop() {  // nothing is possible
        if (length() < options.max_length)
            hypothesis.log_probability = -std::numeric_limits<double>::infinity();
        done = true;
    }
};

}  // namespace

Speculation speculative_decode(Decodable target, Decodable draft,
                               const SpeculativeOptions& speculative, Rng& rng,
                               const DecodeOptions& options) {
    const UserCall named("speculative_decode");
    check(target.defined() && draft.defined(), "speculative_decode: there is no model to decode");
    check(
        target.rows() == 1 && draft.rows() == 1,
        "speculative_decode: a target of {} rows and a draft of {}; each row goes back by itself, so "
        "decode one at a time",
        target.rows(), draft.rows());
    check_positive("speculative_decode",
                   {{"draft", speculative.draft}, {"max_length", options.max_length}});
    const std::vector<int> first = decoding::first_tokens(target, options);
    check(decoding::first_tokens(draft, options) == first,
          "speculative_decode: the target begins with token {}, the draft with {}", first[0],
          decoding::first_tokens(draft, options)[0]);
    const NoGrad no_grad;
    const auto distribution = [&](const Numbers& logs) {
        return sampling_distribution(logs, speculative.sampling);
    };

    Speculation s;
    Text text{options, s.hypothesis};
    std::vector<int> last = first;    // what the target has not been given yet
    std::vector<int> behind = first;  // the same for the draft
    while (!text.done) {
        // The draft goes ahead.
        target.mark();
        std::vector<int> drafted;
        std::vector<Numbers> q;
        const int64_t ahead = std::min<int64_t>(speculative.draft, text.room());
        for (int64_t i = 0; i < ahead; ++i) {
            const Tensor logs = draft.steps(one_row(i == 0 ? behind : std::vector{drafted.back()}));
            if (i == 0) draft.mark();
            const Numbers next = row_of(logs, logs.size(1) - 1);
            if (nothing_is_possible(next)) break;
            q.push_back(distribution(next));
            drafted.push_back(decoding::sample_index(q.back(), rng));
        }
        s.proposed += std::ssize(drafted);

        // The target judges all of it in one pass.
        std::vector<int> given = last;
        given.insert(given.end(), drafted.begin(), drafted.end());
        const Tensor all = target.steps(one_row(given));
        ++s.passes;
        std::size_t kept = 0;
        int token = 0;
        Numbers logs, p;
        for (bool accepted = true; accepted;) {
            logs = row_of(all, static_cast<int64_t>(kept));
            if (nothing_is_possible(logs)) {
                text.stop();
                break;
            }
            p = distribution(logs);
            if (kept == drafted.size()) {  // one more, from the target itself
                text.add(token = decoding::sample_index(p, rng), logs);
                break;
            }
            ++s.judged;
            s.overlap += 1 - total_variation(p, q[kept]);
            token = drafted[kept];
            accepted = rng.uniform() < acceptance(p, q[kept], token);
            if (accepted)
                ++s.accepted, ++kept;
            else
                token = decoding::sample_index(residual_distribution(p, q[kept]), rng);
            text.add(token, logs);
            if (text.done) break;
        }
        if (text.done) break;

        // Both go back to the tokens that were accepted. The draft was not given its last token.
        target.keep(1 + kept);
        behind = {token};
        if (kept == drafted.size() && kept > 0) behind.insert(behind.begin(), drafted.back());
        if (!drafted.empty()) draft.keep(std::min(kept, drafted.size() - 1));
        last = {token};
    }
    return s;
}

}  // namespace heed
