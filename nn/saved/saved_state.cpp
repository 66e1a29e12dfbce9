#include "nn/saved/saved_state.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>

#include "autograd/base/bit_cast.h"
#include "autograd/base/error.h"
#include "autograd/tensor/create.h"

namespace heed {
namespace {

// A double as text: its 64 bits in hexadecimal, which are the same in every locale and exact.
std::string bits_of(double x) { return fmt::format("{:016x}", bit_cast<uint64_t>(x)); }

// The whole text as one number in the given base.
template <class Parse>
auto integer_in(const std::string& text, int base, const std::string& what, Parse parse) {
    char* end = nullptr;
    errno = 0;
    const auto value = parse(text.c_str(), &end, base);
    check(!text.empty() && *end == '\0' && errno == 0, "{}: expected a whole number, found '{}'",
          what, text);
    return value;
}

double double_in(const std::string& text, const std::string& what) {
    return bit_cast<double>(static_cast<uint64_t>(integer_in(text, 16, what, std::strtoull)));
}

}  // namespace

// --- what is saved as text --------------------------------------------------------------------------

const std::string& StateVisitor::text(const std::string& name) const {
    const auto found = from_->texts.find(prefix_ + name);
    if (found == from_->texts.end()) fail("{}: '{}' is missing", source_, prefix_ + name);
    return found->second;
}

// A name that occurs twice could not be restored.
const std::string& StateVisitor::new_name(const std::string& name) {
    const auto [full, is_new] = names_.insert(prefix_ + name);
    check(is_new, "SavedState: two variables have the name '{}'; rename one of them", *full);
    return *full;
}

void StateVisitor::operator()(const std::string& name, std::string& x) {
    if (!from_) {
        collected_.texts[new_name(name)] = x;
        return;
    }
    x = text(name);
    ++restored_;
}

void StateVisitor::same(const std::string& name, const std::string& now) {
    std::string saved = now;
    (*this)(name, saved);
    if (saved != now)
        fail("{}: '{}' was '{}' and is '{}' now", source_, prefix_ + name, saved, now);
}

std::string StateVisitor::described(const std::string& name) const {
    return fmt::format("{}: '{}'", source_, prefix_ + name);
}

double StateVisitor::real(const std::string& name, double x) {
    std::string bits = bits_of(x);
    (*this)(name, bits);
    return double_in(bits, described(name));
}

int64_t StateVisitor::whole(const std::string& name, int64_t x) {
    std::string digits = fmt::format("{}", x);
    (*this)(name, digits);
    return integer_in(digits, 10, described(name), std::strtoll);
}

uint64_t StateVisitor::natural(const std::string& name, uint64_t x) {
    std::string digits = fmt::format("{}", x);
    (*this)(name, digits);
    return integer_in(digits, 10, described(name), std::strtoull);
}

void StateVisitor::operator()(const std::string& name, bool& x) {
    std::string word = x ? "true" : "false";
    (*this)(name, word);
    if (word != "true" && word != "false")
        fail("{}: '{}': expected true or false, found '{}'", source_, prefix_ + name, word);
    x = word == "true";
}

// --- what is saved as tensors ----------------------------------------------------------------------

const Tensor& StateVisitor::tensor(const std::string& name) const {
    const auto found = from_->tensors.find(prefix_ + name);
    if (found == from_->tensors.end()) fail("{}: '{}' is missing", source_, prefix_ + name);
    return found->second;
}

// A tensor that comes a second time, say as part of the model and of its optimiser, is skipped. It
// is skipped in the same order when the state is restored.
void StateVisitor::operator()(const std::string& name, Tensor& x) {
    if (!x.defined() || !seen_.insert(x.body()).second) return;
    numbers_.insert(x.body()->storage);
    if (!from_) {
        collected_.tensors[new_name(name)] = copy_of(x);
        return;
    }
    const Tensor& saved = tensor(name);
    if (saved.shape() != x.shape() || saved.dtype() != x.dtype())
        fail("{}: expected shape {}, found {}{}", described(name), x.shape(), saved.shape(),
             saved.shape() == x.shape() ? " of another dtype" : "");
    x.assign(saved);
    ++restored_;
}

// A tensor of float64, which also holds whole numbers up to 2^53. Numbers that are not finite are
// saved as text, because a reader of tensors may refuse them.
void StateVisitor::operator()(const std::string& name, std::vector<double>& x) {
    const auto is_finite = [](double v) { return std::isfinite(v); };
    if (!from_ && !x.empty() && std::all_of(x.begin(), x.end(), is_finite)) {
        collected_.tensors[new_name(name)] = heed::tensor(x, Dtype::float64);
    } else if (!from_ || from_->texts.count(prefix_ + name)) {
        constexpr std::size_t digits = 16;
        std::string bits;
        for (double v : x) bits += bits_of(v);
        (*this)(name, bits);
        if (bits.size() % digits != 0)
            fail("{}: expected {} digits for each number, found {}", described(name), digits,
                 bits.size());
        x.clear();
        for (std::size_t at = 0; at < bits.size(); at += digits)
            x.push_back(double_in(bits.substr(at, digits), described(name)));
    } else {
        x = tensor(name).to_vector();
        ++restored_;
    }
}

void StateVisitor::operator()(const std::string& name, std::vector<int>& x) {
    std::vector<double> numbers(x.begin(), x.end());
    (*this)(name, numbers);
    if (from_) x.assign(numbers.begin(), numbers.end());
}

void StateVisitor::operator()(const std::string& name, std::vector<std::vector<int>>& x) {
    std::vector<int> lengths, all;
    for (const std::vector<int>& one : x) {
        lengths.push_back(static_cast<int>(one.size()));
        all.insert(all.end(), one.begin(), one.end());
    }
    (*this)(name + ".lengths", lengths);
    (*this)(name + ".numbers", all);
    if (!from_) return;
    x.clear();
    std::size_t at = 0;
    for (int length : lengths) {
        if (length < 0 || static_cast<std::size_t>(length) > all.size() - at)
            fail("{}: '{}': the lengths do not fit the numbers", source_, prefix_ + name);
        x.emplace_back(all.begin() + static_cast<std::ptrdiff_t>(at),
                       all.begin() + static_cast<std::ptrdiff_t>(at) + length);
        at += static_cast<std::size_t>(length);
    }
}

// --- all of them ------------------------------------------------------------------------------------

namespace {

void visit_all(const std::vector<SavedState>& all, StateVisitor& visitor) {
    for (std::size_t i = 0; i < all.size(); ++i) all[i].visit(visitor, std::to_string(i));
}

}  // namespace

NamedState collect(const std::vector<SavedState>& all) {
    StateVisitor visitor;
    visit_all(all, visitor);
    return std::move(visitor.collected_);
}

void restore(const std::vector<SavedState>& all, const NamedState& from,
             const std::string& source) {
    StateVisitor visitor;
    visitor.from_ = &from;
    visitor.source_ = source;
    visit_all(all, visitor);
    const std::size_t saved = from.tensors.size() + from.texts.size();
    check(visitor.restored_ == saved,
          "{}: {} variables were saved, but the state that is to be restored has {}", source, saved,
          visitor.restored_);
}

bool includes(const std::vector<SavedState>& all, const Tensor& x) {
    StateVisitor visitor;
    visit_all(all, visitor);
    return visitor.numbers_.count(x.body()->storage) > 0;
}

}  // namespace heed
