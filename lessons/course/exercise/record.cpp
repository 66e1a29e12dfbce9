#include "lessons/course/exercise/record.h"

#include <fmt/format.h>

#include <sstream>

#include "lessons/course/contents/records.h"
#include "lessons/course/report/files.h"

namespace heed::course {

int count_events(const std::string& root, const Exercise& exercise, const std::string& event) {
    int count = 0;
    std::istringstream lines(record_text(root, "exercises.tsv"));
    for (std::string line; std::getline(lines, line);) {
        std::istringstream fields(line);
        std::string id, name, date, happened;
        if (std::getline(fields, id, '\t') && std::getline(fields, name, '\t') &&
            std::getline(fields, date, '\t') && std::getline(fields, happened, '\t'))
            count += name == exercise.name && happened == event;
    }
    return count;
}

std::string record_event(const Exercise& exercise, const std::string& event) {
    return append_record("exercises.tsv", fmt::format("{}\t{}\t{}\t{}", exercise.id(),
                                                      exercise.name, timestamp(), event));
}

}  // namespace heed::course
