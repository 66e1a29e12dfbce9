// The figures and tables of the trained models.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lessons/16_glimpses/experiment.h"
#include "lessons/course/course.h"

namespace heed::lesson16 {

// One step of the recurrent attention model.
course::Diagram step_diagram();

// The first picture with six glimpses at random places: how the network looks before it has learned to.
course::Picture random_look(const course::Images& images, Rng& rng);

// Shows three pictures.
void show_signs(course::AtCall lesson, const Data& data);

// Shows ink_seen() for each method. Returns the share after the last glimpse.
std::vector<double> show_ink(course::AtCall lesson, const std::vector<Method>& methods,
                             const std::vector<GlimpseModel>& models, const course::Images& images);

// gradient_variance() of one model with the loss of each method, on 256 pictures, divided by that
// of the first method. Shows the table.
std::vector<double> show_variance(course::AtCall lesson, const std::vector<Method>& methods,
                                  const GlimpseModel& model, const course::Images& images);

// Shows the locations of the glimpses of some models on three pictures.
void show_paths(course::AtCall lesson, const std::vector<Method>& methods,
                const std::vector<GlimpseModel>& models, const std::vector<int>& which,
                const course::Images& images);

// The first `count` pictures with the path of the glimpses, titled with the label and the answer.
std::vector<course::Picture> paths(const GlimpseModel& model, const course::Images& images,
                                   LocationRule rule, int count,
                                   const std::function<std::string(int)>& name);

}  // namespace heed::lesson16
