// The files a lesson writes. Each is written under a temporary name and renamed when it is
// complete, so there is always either the old file or the new one. Links are followed, and what is
// neither a file nor nothing is refused.
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "lessons/course/contents/course_list.h"

namespace heed::course {

// Throws heed::Error with the file and the reason of the system if it cannot be written.
void write_file(const std::string& path, const std::string& bytes);

// Writes them all to an open file. Returns why that was not possible, as in errno; 0 if it was.
int write_all(int file, std::string_view bytes);

// A lesson checks before a long run that the folder exists or can be made, and makes it after the
// run. Both throw heed::Error.
void check_folder(const std::string& path);
void make_folder(const std::string& path);

// Appends a line to $HEED_HOME/.heed/NAME, the reader's records; nothing if HEED_HOME is not set. Returns why
// the line could not be written, in words for the reader, or an empty text. A run does not fail because of it.
[[nodiscard]] std::string append_record(const std::string& name, const std::string& line);

// The folder that a lesson writes its results into without --out: out/12_luong in $HEED_HOME, where .heed and
// my are too. It is in the current folder if HEED_HOME is not set or cannot be written to.
std::string usual_out(LessonNumber number, const std::string& name);

// The folder of lesson `number` in $HEED_HOME/lessons, "12_luong"; empty if there is none.
std::string lesson_folder(LessonNumber number);

// Where to go on after a lesson: the one that follows it on the path. After the last one and after a workshop: the
// first lesson that the reader has not done, and the next workshop that they have not done. By the list and the
// records in $HEED_HOME; empty without a list.
std::vector<ListedLesson> next_after(LessonNumber number);

// The open experiment of the part whose last lesson this is (lessons/experiments); empty for others.
std::string experiment_after(LessonNumber number);

// How many exercises it has there.
int exercises_of(LessonNumber number);

// The time of its full run by lessons/course.toml, "about 20 s"; empty if unknown.
std::string expected_time(LessonNumber number);
int expected_seconds(LessonNumber number);  // 0 if unknown

// What an exception says. The texts of the standard library about files, "filesystem error: cannot make absolute
// path", become sentences of heed: the file, what is wrong with it, and what helps.
std::string words_of(const std::exception& error);

// The commit of the tree in which the reader works; empty if git does not know it.
std::string commit();

// At the end of a program. Throws heed::Error if what was printed did not arrive, because a disk is full.
void check_output();

// The text as a field of a record: tabs and newlines become spaces.
std::string field(std::string text);

// The time now, as 2025-11-20T09:13:05Z.
std::string timestamp();

}  // namespace heed::course
