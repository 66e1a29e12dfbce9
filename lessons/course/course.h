// What the lessons share: how a lesson is told, run, drawn and judged. What lessons are about (corpora,
// readers of files, sound, translation) is in lessons/material. The rooms in reading order; each uses
// only those before it:
//
//   terminal/     output on the terminal
//     screen.h        the width and the colours of the terminal
//     text.h          widths, wrapping and numbers as text
//     markup.h        prose with `code` and *emphasis*, for terminal and HTML
//     table.h         tables
//     live_line.h     the line that is redrawn while a lesson runs
//     keys.h          waiting for a key while somebody reads
//     process.h       running another program
//   contents/     the course and its reader
//     course_list.h   the parts and lessons, from lessons/course.toml
//     lesson_number.h 11, or W3: what a lesson is called by
//     references.h    lessons and exercises by name
//     woven.h         numbers of claims in a text, by name
//     kept_seeds.h    what was measured with many seeds
//     records.h       what the reader has run, written and guessed
//   pages/        style sheets, scripts and templates of pages
//     pages.h         the list of these files, and filling in a template
//   figures/      what a lesson draws
//     figures.h       the list of figures: heat maps, line plots, bars, points, pictures, diagrams
//     statistics.h    mean and standard deviation over seeds
//     by_step.h       numbers that shrink or grow at each step
//   live/         figures that the reader can change
//     live.h          what such a figure is; start reading here
//     controls.h      sliders, choices, texts, switches, places
//     plane.h         a plane with points that are dragged
//     grid.h          cells that are switched
//     answer.h        what a page asks, and the answer
//     figure_html.h   the figure in a page
//     web_module.h    heed for browsers, which the page loads
//   story/        the prose of a lesson, from its source to the reader
//     source.h        a lesson's source as passages: text, and the code below it
//     formula.h       formulas from LaTeX to Unicode and MathML
//     highlight.h     C++ in colours
//     prose.h         Markdown with formulas, for terminal and HTML
//     story.h         in which order the text is shown
//     telling.h       showing it, a key at a time
//   report/       what a run leaves behind
//     claims.h        statements that are checked against measurements
//     other_seeds.h   what the claims measured with other seeds
//     predict.h       the reader's predictions, asked before the run and compared after it
//     results.h       results.json
//     report.h        report.html
//     page.h          what every page has
//     files.h         writing complete files, and the reader's records
//   book/         the course as pages for a browser
//     book.h          writing them; begin here
//     epub.h          the same as one file for e-readers
//   lesson/       running a lesson
//     lesson.h        the class Lesson; start reading here
//     options.h       the command line
//     progress.h      the progress of training
//     repeat.h        many seeds, and the spread of each claim
//     memory.h        refusing options that need more memory than there is
//     interrupt.h     Ctrl-C
//     checkpoints.h   what is saved during a run, and --resume
//   exercise/     what the reader writes
//     exercise.h      the parts of an exercise
//     write.h         what the reader's file includes
//     judge.h         what must hold for an answer
//     slips.h         mistakes that happen in every exercise
//     answer.h        an answer and its judge as one program
//     workshop.h      compiling it and running it
//
// This header includes what every lesson needs.
#pragma once

#include "lessons/course/figures/figures.h"
#include "lessons/course/figures/statistics.h"
#include "lessons/course/lesson/lesson.h"
#include "lessons/course/lesson/progress.h"
#include "lessons/course/report/claims.h"
#include "lessons/course/report/predict.h"
#include "lessons/course/terminal/table.h"
#include "lessons/course/terminal/text.h"
