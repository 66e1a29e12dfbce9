#include "lessons/material/read/labelled_sets.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "lessons/material/read/text_data.h"
#include "nn/data/batches.h"

namespace heed::course {
namespace {

// Moves the texts of labels that are not in the training set to it: a label that occurs once or twice
// would otherwise be asked for and never taught, or not, as the seed decides.
void keep_labels_in_training(LabelledSets& files) {
    std::set<std::string> taught;
    for (const LabelledText& text : files.train) taught.insert(text.label);
    for (std::vector<LabelledText>* set : {&files.valid, &files.test}) {
        if (set == &files.test && files.test_path != files.train_path) continue;
        const auto rare = std::stable_partition(
            set->begin(), set->end(), [&](const auto& text) { return taught.count(text.label); });
        for (auto text = rare; text != set->end(); ++text) taught.insert(text->label);
        files.train.insert(files.train.end(), rare, set->end());
        set->erase(rare, set->end());
    }
}

}  // namespace

LabelledSets read_labelled_sets(const std::string& path, std::uint64_t seed) {
    LabelledSets files{path, path, {}, {}, {}};
    const bool folder = std::filesystem::is_directory(path);
    if (folder) {
        files.train_path = path + "/train_5500.label";
        files.test_path = path + "/TREC_10.label";
        for (const std::string& file : {files.train_path, files.test_path})
            if (!std::filesystem::exists(file))
                throw InputError(fmt::format(
                    "{}: expected the folder of the TREC questions, with the files train_5500.label and "
                    "TREC_10.label, found no {}",
                    path, file.substr(path.size() + 1)));
        files.test = read_labelled(files.test_path);
    }
    const std::vector<LabelledText> all = read_labelled(files.train_path);
    std::map<std::string, int> labels;
    for (const LabelledText& text : all) ++labels[text.label];
    if (all.size() < 20)
        throw InputError(fmt::format("{}: expected at least 20 lines to learn from, found {}",
                                     files.train_path, all.size()));
    const auto often = std::count_if(labels.begin(), labels.end(),
                                     [](const auto& label) { return label.second >= 5; });
    if (often < 2)
        throw InputError(
            fmt::format("{}: expected at least two labels that occur five times or more, found {}",
                        files.train_path, often));
    for (std::size_t i = 0; i < files.test.size(); ++i)
        check_line(labels.count(files.test[i].label) > 0, files.test_path, i + 1,
                   "expected a label that occurs in {}, found '{}'", files.train_path,
                   excerpt(files.test[i].label));

    Rng rng(seed);
    const std::vector<double> shares =
        folder ? std::vector<double>{0.9, 0.1, 0} : std::vector<double>{0.8, 0.1, 0.1};
    const auto parts = random_split(static_cast<int>(all.size()), shares, rng);
    files.train = pick(all, parts[0]);
    files.valid = pick(all, parts[1]);
    if (!folder) files.test = pick(all, parts[2]);
    keep_labels_in_training(files);
    for (const auto* set : {&files.valid, &files.test})
        if (set->empty())
            throw InputError(fmt::format(
                "{}: expected labels that occur often enough for a validation and a test set, "
                "found {} labels in {} lines",
                files.train_path, labels.size(), all.size()));
    return files;
}

}  // namespace heed::course
