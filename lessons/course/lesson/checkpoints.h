// A lesson that is stopped loses nothing that was trained. Each training of a lesson takes a folder for
// its checkpoint from here, by next_checkpoint() of lessons/material/training/next_checkpoint.h. The n-th
// training of a run is saved in OUT/checkpoint/n. `--resume OUT` runs the lesson again with
// the same options: trainings that were finished are loaded, the one that was stopped goes on, and
// the rest is computed anew, so the results are those of a run that was never stopped, to the bit.
// When the results are written, the checkpoints are removed.
//
// OUT/checkpoint/run.json says which run it is: the lesson, its program, its options, the contents
// of the files it reads, and the reader's predictions, which are not asked again.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "lessons/course/contents/lesson_number.h"
#include "lessons/course/report/predict.h"

namespace heed::course {

// The folder for the checkpoint of the next training of the lesson that runs in this program. Empty
// without a lesson, as in tests of its parts: then nothing is saved.
std::string next_checkpoint_folder();

// What run.json says.
struct RunRecord {
    LessonNumber lesson{};
    std::string program;                                       // a fingerprint
    std::vector<std::pair<std::string, std::string>> options;  // "--seed", "3"
    std::map<std::string, std::string> files;  // for options that name files: a fingerprint
    std::vector<Question> answers;             // the questions that were asked

    void save(const std::string& out) const;
    // Throws heed::Error, with the path, if the file is damaged.
    static RunRecord load(const std::string& out);
    static bool exists(const std::string& out);
};

// A number that changes when the contents of a file change, or of the files in a folder; as text.
// Empty for anything else, such as a pipe.
std::string fingerprint(const std::string& path);
std::string fingerprint_of_program();

// The checkpoints of one run of a lesson. next_checkpoint_folder() uses the object that exists.
class Checkpoints {
  public:
    // The record may still change until the first training. Without `writes`, another process of the
    // same run writes the record and removes the checkpoints.
    Checkpoints(std::string out, const RunRecord& record, bool resumed, bool writes = true);
    ~Checkpoints();
    Checkpoints(const Checkpoints&) = delete;
    Checkpoints& operator=(const Checkpoints&) = delete;

    bool started() const { return trainings_ > 0; }  // whether a training has taken a checkpoint
    std::string command() const;                     // the command that goes on with this run
    // Removes all, because the run is over.
    void discard();

  private:
    friend std::string next_checkpoint_folder();
    void start();
    void say_how_to_go_on() const;

    std::string out_, folder_;
    const RunRecord& record_;
    bool resumed_ = false, writes_ = false;
    int trainings_ = 0;
};

}  // namespace heed::course
