#include "nn/train/checkpoint.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <string_view>

#include "autograd/base/files.h"
#include "autograd/base/settings.h"
#include "autograd/base/whole_file.h"
#include "autograd/ops/shape/shape_ops.h"
#include "nn/saved/safetensors.h"

namespace heed {

// --- the file ---------------------------------------------------------------------------------------

namespace {

const std::string checksum_name = "checksum", settings = "settings.", own = "state.";

// 64 bits that change when any byte changes: each word of 8 bytes is mixed in by steps that can be
// undone (xor, the product with an odd number, xor with a shift of itself), so two contents that
// differ in one word never have the same sum.
class Checksum {
  public:
    void add(const void* bytes, std::size_t count) {
        const char* next = static_cast<const char*>(bytes);
        for (; count >= 8; next += 8, count -= 8) add_word(next, 8);
        if (count > 0) add_word(next, count);
    }
    void add(std::string_view text) {
        const uint64_t length = text.size();
        add(&length, sizeof length);
        add(text.data(), text.size());
    }
    std::string text() const { return fmt::format("{:016x}", sum_); }

  private:
    void add_word(const char* bytes, std::size_t count) {
        uint64_t word = 0;
        std::memcpy(&word, bytes, count);
        sum_ = (sum_ ^ word) * 0x9e3779b97f4a7c15;
        sum_ ^= sum_ >> 32;
    }
    uint64_t sum_ = 0x243f6a8885a308d3;
};

std::string checksum_of(const NamedState& state) {
    Checksum sum;
    for (const auto& [name, text] : state.texts) {
        if (name == checksum_name) continue;
        sum.add(name), sum.add(text);
    }
    for (const auto& [name, tensor] : state.tensors) {
        sum.add(name), sum.add(to_string(tensor.shape()));
        const Tensor all = contiguous(detach(tensor));
        with_dtype(all.dtype(),
                   [&]<class T>(T) { sum.add(all.data<T>(), all.numel() * sizeof(T)); });
    }
    return sum.text();
}

}  // namespace

void save_state(const std::string& path, const NamedState& state) {
    Safetensors file;
    for (const auto& [name, tensor] : state.tensors) file.tensors.push_back({name, tensor});
    file.metadata = state.texts;
    file.metadata[checksum_name] = checksum_of(state);
    save_safetensors(path, file);
}

NamedState load_state(const std::string& path) {
    Safetensors file = load_safetensors(path);
    NamedState state;
    for (Parameter& p : file.tensors) state.tensors[p.name] = p.tensor;
    state.texts = std::move(file.metadata);
    const auto sum = state.texts.find(checksum_name);
    check(sum != state.texts.end(), "{}: not a checkpoint: its metadata has no '{}'", path,
          checksum_name);
    check(state.tensors.size() == file.tensors.size() && sum->second == checksum_of(state),
          "{}: damaged: its checksum does not fit its contents", path);
    state.texts.erase(sum);
    return state;
}

// --- the folder -------------------------------------------------------------------------------------

namespace {

namespace fs = std::filesystem;

// Makes the folder and those above it, so that they survive a power failure.
void make_folder(const fs::path& folder) {
    std::error_code problem;
    if (folder.empty() || fs::is_directory(folder, problem)) return;
    make_folder(folder.parent_path());
    fs::create_directory(folder, problem);
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored))
        fail("{}: cannot be made: {}", folder.string(),
             problem ? reason_of_system(problem.value()) : "there is a file of this name");
    flush_folder(folder.parent_path().string());
}

int64_t step_in(const NamedState& state, const std::string& path) {
    const auto found = state.texts.find("step");
    int64_t step = 0;
    if (found != state.texts.end()) {
        const std::string& text = found->second;
        const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), step);
        if (problem == std::errc() && end == text.data() + text.size() && step >= 0) return step;
    }
    fail("{}: not a checkpoint: its metadata has no number of steps", path);
}

}  // namespace

Checkpoint::Checkpoint(CheckpointOptions options) : options_(std::move(options)) {
    if (!active()) return;
    const CheckpointTimes& times = options_.times;
    check_not_negative("Checkpoint",
                       {{"times.seconds", times.seconds}, {"times.steps", times.steps}});
    collect(options_.state);  // a list that could not be saved is refused now
    while (options_.directory.size() > 1 && options_.directory.back() == '/')
        options_.directory.pop_back();
    if (options_.writes) {
        make_folder(options_.directory);
        folder_ = open(options_.directory.c_str(), O_RDONLY | O_CLOEXEC);
    }
    const bool taken =
        folder_ >= 0 && flock(folder_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (taken) {
        close(std::exchange(folder_, -1));
        fail("{}: another training uses this folder for its checkpoints", options_.directory);
    }
    try {
        std::error_code ignored;
        if (fs::exists(path(), ignored)) {
            loaded_ = std::make_unique<NamedState>(load_state(path()));
            saved_ = step_in(*loaded_, path());
        }
    } catch (Error& error) {
        if (folder_ >= 0) close(std::exchange(folder_, -1));
        error.put_after("; remove the file to start anew");
        throw;
    }
    signals_ = std::make_unique<StopSignals>();
}

// Closing the folder also unlocks it.
Checkpoint::~Checkpoint() {
    if (folder_ >= 0) close(folder_);
}

// --- going on ---------------------------------------------------------------------------------------

void Checkpoint::same(const std::string& name, const std::string& value) {
    settings_[name] = value;
    if (!loaded_) return;
    const auto found = loaded_->texts.find(settings + name);
    const std::string before = found == loaded_->texts.end() ? "not given" : found->second;
    if (before != value)
        fail(
            "{}: this is another training: {} was {}, now it is {}; remove the folder to start "
            "anew",
            path(), name, before, value);
}

int64_t Checkpoint::resume() {
    if (!loaded_) return 0;
    NamedState state;
    for (const auto& [name, tensor] : loaded_->tensors)
        if (name.starts_with(own)) state.tensors[name.substr(own.size())] = tensor;
    for (const auto& [name, text] : loaded_->texts)
        if (name.starts_with(own)) state.texts[name.substr(own.size())] = text;
    restore(options_.state, state, path());
    loaded_.reset();
    return saved_;
}

Checkpoint::Steps Checkpoint::steps(int64_t count) {
    same("the number of steps", std::to_string(count));
    return Steps(*this, resume() + 1, count);
}

// --- saving -----------------------------------------------------------------------------------------

bool Checkpoint::save(int64_t step, std::string& problem) {
    if (!options_.writes) {
        saved_ = step;
        return true;
    }
    try {
        const NamedState state = collect(options_.state);
        NamedState named;
        for (const auto& [name, tensor] : state.tensors) named.tensors[own + name] = tensor;
        for (const auto& [name, text] : state.texts) named.texts[own + name] = text;
        for (const auto& [name, value] : settings_) named.texts[settings + name] = value;
        named.texts["step"] = std::to_string(step);
        save_state(path(), named);
        saved_ = step;
    } catch (const Error& error) {
        problem = error.what();
    }
    saved_at_ = Clock::now();
    return problem.empty();
}

void Checkpoint::say(const std::string& problem) const {
    const std::string text =
        fmt::format("train: no checkpoint was written, training goes on: {}", problem);
    if (options_.on_problem) return options_.on_problem(text);
    fmt::print(stderr, "{}\n", text);
    std::fflush(stderr);
}

void Checkpoint::after(int64_t step, int signal) {
    if (!active()) return;
    const CheckpointTimes& times = options_.times;
    const bool due =
        (times.steps > 0 && step % times.steps == 0) ||
        (times.seconds > 0 &&
         std::chrono::duration<double>(Clock::now() - saved_at_).count() >= times.seconds);
    if (!signal && !due) return;
    std::string problem;
    const bool whole = save(step, problem);
    if (!whole && !signal) return say(problem);
    if (!signal) return;
    StopSignals::taken();
    const char* name = signal == SIGINT ? "Ctrl-C" : "SIGTERM";
    throw Interrupted(
        whole
            ? fmt::format("train: stopped by {} after step {}; saved in {}; run the program again "
                          "to go on",
                          name, step, options_.directory)
            : fmt::format("train: stopped by {} after step {}, which could not be saved: {}. The "
                          "checkpoint in {} is of step {}",
                          name, step, problem, options_.directory, saved_),
        signal, whole);
}

void Checkpoint::finish(int64_t step) {
    if (!active()) return;
    std::string problem;
    if (saved_ != step && !save(step, problem)) say(problem);
    signals_.reset();
}

}  // namespace heed
