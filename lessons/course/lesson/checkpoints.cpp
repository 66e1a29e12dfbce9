#include "lessons/course/lesson/checkpoints.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "autograd/base/error.h"
#include "autograd/base/input_file.h"
#include "autograd/base/whole_file.h"
#include "lessons/course/lesson/interrupt.h"
#include "lessons/course/report/files.h"

namespace heed::course {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

Checkpoints* running = nullptr;

std::string record_path(const std::string& out) { return out + "/checkpoint/run.json"; }

// FNV-1a (Fowler, Noll and Vo) of the size and of the first 64 MiB, so that a file of 20 GB does not take minutes. A
// change behind these that keeps the size is not noticed.
void add_file(const std::string& path, std::uint64_t& sum) {
    const auto add = [&sum](unsigned char byte) { sum = (sum ^ byte) * 0x100000001b3; };
    std::error_code ignored;
    for (std::uintmax_t size = fs::file_size(path, ignored); size > 0; size >>= 8)
        add(static_cast<unsigned char>(size & 255));
    std::ifstream file(path, std::ios::binary);
    std::vector<char> bytes(1 << 16);
    for (int i = 0; file && i < 1 << 10; ++i) {
        file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        for (std::streamsize k = 0; k < file.gcount(); ++k)
            add(static_cast<unsigned char>(bytes[static_cast<std::size_t>(k)]));
    }
}

}  // namespace

// --- which run it is --------------------------------------------------------------------------------

std::string fingerprint(const std::string& path) {
    std::uint64_t sum = 0xcbf29ce484222325;
    std::error_code ignored;
    std::vector<std::string> files;
    if (fs::is_regular_file(path, ignored)) {
        files.push_back(path);
    } else if (fs::is_directory(path, ignored)) {
        for (const auto& entry : fs::directory_iterator(path, ignored))
            if (entry.is_regular_file(ignored)) files.push_back(entry.path().string());
        std::sort(files.begin(), files.end());
    } else {
        return "";
    }
    for (const std::string& file : files) add_file(file, sum);
    return fmt::format("{:016x}", sum);
}

std::string fingerprint_of_program() { return fingerprint("/proc/self/exe"); }

bool RunRecord::exists(const std::string& out) { return fs::exists(record_path(out)); }

void RunRecord::save(const std::string& out) const {
    Json json{{"lesson", lesson},
              {"program", program},
              {"options", Json::array()},
              {"files", files},
              {"answers", Json::array()}};
    for (const auto& [name, value] : options) json["options"].push_back({name, value});
    for (const Question& one : answers)
        json["answers"].push_back({{"text", one.text},
                                   {"answered", one.answered},
                                   {"guess", one.guess},
                                   {"number", one.guessed_number},
                                   {"confidence", one.confidence}});
    const std::string text = json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    write_whole_file(record_path(out), text);
}

RunRecord RunRecord::load(const std::string& out) {
    const std::string text = read_regular_file(record_path(out));
    RunRecord record;
    try {
        const Json json = Json::parse(text);
        record.lesson = json.at("lesson").get<LessonNumber>();
        record.program = json.at("program");
        for (const Json& one : json.at("options"))
            record.options.emplace_back(one.at(0), one.at(1));
        record.files = json.at("files");
        for (const Json& one : json.at("answers")) {
            Question question;
            question.text = one.at("text");
            question.answered = one.at("answered");
            question.guess = one.at("guess");
            if (one.at("number").is_number()) question.guessed_number = one.at("number");
            question.confidence = one.at("confidence");
            record.answers.push_back(std::move(question));
        }
    } catch (const Json::exception&) {
        fail("{}: damaged: expected what a run of a lesson writes; run the lesson without --resume",
             record_path(out));
    }
    return record;
}

// --- its checkpoints --------------------------------------------------------------------------------

Checkpoints::Checkpoints(std::string out, const RunRecord& record, bool resumed, bool writes)
    : out_(std::move(out)),
      folder_(out_ + "/checkpoint"),
      record_(record),
      resumed_(resumed),
      writes_(writes) {
    running = this;
    if (resumed_) say_how_to_go_on();
}

Checkpoints::~Checkpoints() { running = nullptr; }

std::string Checkpoints::command() const {
    return fmt::format("./heed learn {} --resume {}", record_.lesson, out_);
}

// At the first training: makes the folder, empties it if the run is new, and writes the record.
void Checkpoints::start() {
    make_folder(folder_);
    if (!resumed_)
        for (const auto& entry : fs::directory_iterator(folder_)) fs::remove_all(entry.path());
    say_how_to_go_on();
    record_.save(out_);
}

// At the end by a signal, if there is something to go on with then.
void Checkpoints::say_how_to_go_on() const {
    EndOnInterrupt::say_if_saved(stopped_text(command()), record_path(out_));
}

std::string next_checkpoint_folder() {
    if (!running) return "";
    if (++running->trainings_ == 1 && running->writes_) running->start();
    return fmt::format("{}/{:03}", running->folder_, running->trainings_);
}

void Checkpoints::discard() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
}

}  // namespace heed::course
