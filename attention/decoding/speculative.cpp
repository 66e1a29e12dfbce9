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

// Tokens that the draft has sampled, and the distribution that each is from.
struct Proposal {
    std::vector<int> tokens;
    std::vector<Numbers> q;
};

// A text that grows by what the draft proposes and the target accepts.
struct Run {
    Decodable target, draft;
    const SpeculativeOptions& options;
    Rng& rng;
    Speculation& s;
    Text text;
    std::vector<int> last, behind;  // what the target and the draft have not been given yet

    Numbers distribution(const Numbers& logs) const {
        return sampling_distribution(logs, options.sampling);
    }

    // The draft goes ahead.
    Proposal propose() {
        Proposal proposal;
        auto& [tokens, q] = proposal;
        const int64_t ahead = std::min<int64_t>(options.draft, text.room());
        for (int64_t i = 0; i < ahead; ++i) {
            const Tensor logs = draft.steps(one_row(i == 0 ? behind : std::vector{tokens.back()}));
            if (i == 0) draft.mark();
            const Numbers next = row_of(logs, logs.size(1) - 1);
            if (nothing_is_possible(next)) break;
            q.push_back(distribution(next));
            tokens.push_back(decoding::sample_index(q.back(), rng));
        }
        s.proposed += std::ssize(tokens);
        return proposal;
    }

    // With probability min(1, p / q).
    bool accepts(const Numbers& p, const Numbers& q, int token) {
        ++s.judged;
        s.overlap += 1 - total_variation(p, q);
        const bool accepted = rng.uniform() < acceptance(p, q, token);
        s.accepted += accepted;
        return accepted;
    }

    // The target judges all of it in one pass. Adds the tokens up to the first that is not accepted, and one
    // of its own. Returns how many were accepted.
    std::size_t judge(const Proposal& proposal) {
        std::vector<int> given = last;
        given.insert(given.end(), proposal.tokens.begin(), proposal.tokens.end());
        target.mark();
        const Tensor all = target.steps(one_row(given));
        ++s.passes;
        for (std::size_t kept = 0;; ++kept) {
            const Numbers logs = row_of(all, static_cast<int64_t>(kept));
            if (nothing_is_possible(logs)) {
                text.stop();
                return kept;
            }
            const Numbers p = distribution(logs);
            const bool is_behind = kept == proposal.tokens.size();
            const bool accepted = !is_behind && accepts(p, proposal.q[kept], proposal.tokens[kept]);
            const int token =
                accepted ? proposal.tokens[kept]
                         : decoding::sample_index(
                               is_behind ? p : residual_distribution(p, proposal.q[kept]), rng);
            text.add(token, logs);
            if (text.done || !accepted) return kept;
        }
    }

    // Both go back to the tokens that were accepted. The draft was not given its last token.
    void go_back(const std::vector<int>& proposed, std::size_t kept) {
        target.keep(1 + kept);
        if (!proposed.empty()) draft.keep(std::min(kept, proposed.size() - 1));
        last = behind = {s.hypothesis.tokens.back()};
        if (kept == proposed.size() && kept > 0) behind.insert(behind.begin(), proposed.back());
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

    Speculation s;
    Run run{std::move(target),
            std::move(draft),
            speculative,
            rng,
            s,
            {options, s.hypothesis},
            first,
            first};
    while (!run.text.done) {
        const Proposal proposal = run.propose();
        const std::size_t kept = run.judge(proposal);
        if (!run.text.done) run.go_back(proposal.tokens, kept);
    }
    return s;
}

}  // namespace heed
