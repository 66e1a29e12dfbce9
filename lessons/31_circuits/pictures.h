// The figures and tables of this lesson.
#pragma once

#include <string>
#include <vector>

#include "lessons/31_circuits/experiment.h"
#include "lessons/course/course.h"

namespace heed::lesson31 {

// "|qhfq": each token notes the letter before it, and the last one copies.
course::Diagram two_heads_diagram();

// The losses of tables with contexts of 0, 1, ... letters, and some strings.
void show_tables(course::AtCall lesson, const Strings& test, const std::vector<double>& losses);

// Over the steps, side by side: the losses of both models and without the first head, and the weights of the
// two heads.
void show_training(course::AtCall lesson, const Curve& curve, const Curve& control,
                   const Roles& roles);

// How far back the heads of one trained layer look, and those of the layer by hand, which are two.
void show_reach(course::AtCall lesson, std::vector<Reach> trained,
                const std::vector<Reach>& by_hand);

// The losses of three patches for the heads, in the order of Roles, and for the second layer; and without a
// patch.
void show_patches(course::AtCall lesson, const std::vector<std::vector<double>>& losses,
                  double whole);

// Which position looks at which; which letter asks for which in a note; which letter raises which; and the
// second of them by hand.
void show_circuits(course::AtCall lesson, const Tensor& looks, const Tensor& asks,
                   const Tensor& copies, const Tensor& asks_by_hand);

// What the embeddings and the heads, in the order of Roles, add to the margin of the right letter, against the
// losses without these heads.
void show_margins(course::AtCall lesson, const std::vector<double>& margins,
                  const std::vector<double>& without);

// For each letter up to the present one: the weight of the induction head, and by how much the loss
// rises when the letter is changed.
void show_letters(course::AtCall lesson, const std::string& example,
                  const std::vector<double>& weight, const std::vector<double>& rise);

}  // namespace heed::lesson31
