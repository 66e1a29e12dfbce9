// The figures a lesson draws. Each is a plain struct of numbers and names: fill it in and pass it
// to lesson.show(), which draws it in the terminal, saves it as SVG and puts it into the report.
//
//   heat_map.h   a matrix as shades; it documents to_text and to_svg for all figures
//   line_plot.h  lines, with a band for the spread over seeds
//   bar_chart.h  horizontal bars
//   picture.h    a grey image, with weights of patches or a path of glimpses
//   arrows.h     arrows and curves in a plane: vectors, a ball on a hill, hands of a clock
//   shaded_text.h  texts whose words are shaded by their weights
//   scatter_plot.h  named points in a plane, coloured by group
//   diagram.h    boxes and arrows: cells, blocks, whole models
//
// and what these are drawn with: statistics.h (mean and standard deviation), axis.h (the ticks of
// an axis), dot_canvas.h (lines on the terminal), svg.h (elements and the style sheet), png.h (grey
// images), in_words.h (what a screen reader reads).
//
// check_sizes, to_text and to_svg throw heed::Error when the sizes of a figure do not fit together.
// Values that are not finite are drawn as gaps.
#pragma once

#include "lessons/course/figures/arrows.h"
#include "lessons/course/figures/bar_chart.h"
#include "lessons/course/figures/diagram.h"
#include "lessons/course/figures/heat_map.h"
#include "lessons/course/figures/line_plot.h"
#include "lessons/course/figures/picture.h"
#include "lessons/course/figures/scatter_plot.h"
#include "lessons/course/figures/shaded_text.h"
