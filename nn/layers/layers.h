// The layers, except the recurrent ones (nn/recurrent) and attention. Each is an open struct: make it
// with its sizes and an Rng, call it like a function, read and set its tensors as you like. Names and
// initial values are PyTorch's, so a file of PyTorch's weights can be loaded. A reading order:
//
//   linear.h          Linear and Embedding
//   quantise.h        the weights of Linear layers in 8 or 4 bits, for decoding
//   adapters.h        Low-rank adapters for Linear layers of a trained model
//   dropout.h         Dropout, the simplest layer that differs in training and evaluation
//   normalisation.h   LayerNorm, RmsNorm, BatchNorm, GroupNorm
//   convolution.h     Conv1d, Conv2d and pooling
//   interpolate.h     resizing of pictures and other grids
//   sequential.h      layers called one after another; activations and Flatten for it
#pragma once

#include "nn/layers/adapters.h"
#include "nn/layers/convolution.h"
#include "nn/layers/dropout.h"
#include "nn/layers/interpolate.h"
#include "nn/layers/linear.h"
#include "nn/layers/normalisation.h"
#include "nn/layers/quantise.h"
#include "nn/layers/sequential.h"
