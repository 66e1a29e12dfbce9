// What the lessons share. Reading order:
//
//   lesson.h      a lesson: says, shows, predicts, claims; start here
//   claims.h      statements held against what was measured
//   predict.h     the reader's guesses, asked before and scored after
//   figures.h     heat maps, line plots, bars and pictures, as plain structs
//   table.h       tables
//   statistics.h  mean and spread over seeds
//   text_data.h   the reader's own text files, checked line by line
//   text.h        numbers and words as a reader wants them
//   progress.h    the line that tells how training goes; live_line.h draws it
//   documents.h   documents of everyday words with a few telling ones
//   labelled_text.h  the reader's own texts with a label each
//   corpus.h      Korean and English sentences with their true alignments
//   graphs.h      places and roads
//   pronouns.h    sentences in which one word says what "it" means
//   three_looks.h choices small enough that all paths can be summed
//   images.h      pictures with labels; glyphs.h draws some, idx.h reads the reader's own
//   translation.h training and judging translators
//   pair_files.h  the reader's own pairs of sentences, translated
//
// and what these are made of: options.h (the command line), screen.h (the terminal), markup.h
// (prose), axis.h, plot_axes.h, svg.h and png.h (drawing), report.h and results.h (what is left in
// --out), files.h and interrupt.h (never half a file).
#pragma once

#include "lessons/course/figures/figures.h"
#include "lessons/course/report/claims.h"
#include "lessons/course/lesson/lesson.h"
#include "lessons/course/report/predict.h"
#include "lessons/course/lesson/progress.h"
#include "lessons/course/figures/statistics.h"
#include "lessons/course/read/text_data.h"
#include "lessons/course/terminal/table.h"
#include "lessons/course/terminal/text.h"
