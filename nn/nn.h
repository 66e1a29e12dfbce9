// Neural networks on the engine of autograd/autograd.h: layers, losses, optimisers, data, training,
// saved models. A reading order:
//
//   module.h        parameters, buffers, freezing, copying: by way of a model's one visit() line
//   mode.h          training or evaluation
//   init.h          initial values of parameters
//   layers.h        the layers: dense, embedding, dropout, normalisation, convolution, Sequential
//   recurrent.h     the layers Rnn, Gru, Lstm and the cells for decoders; below them
//     gates.h               the formulas of the cells, as cards
//     recurrent_step.h      one step of a cell, a fused kernel beside its definition
//     recurrent_sequence.h  all steps of a sequence as one operation
//     gate_loops.h          the loops that run the formulas over a batch
//   gradcheck_model.h  proof of the gradients of a whole model
//   losses.h        how wrong a prediction is
//   optimiser.h     one update of all parameters, clipping
//   optimisers.h    the rules: Sgd, Adam, AdamW, RmsProp
//   schedules.h     learning rates that change
//   utf8.h          text as code points
//   vocabulary.h    tokens and their numbers
//   data.h          sentences of different lengths into rectangular batches
//   train.h         the training loop
//   safetensors.h   models in files
#pragma once

#include "autograd/autograd.h"
#include "nn/data/batches.h"
#include "nn/data/utf8.h"
#include "nn/data/vocabulary.h"
#include "nn/layers/init.h"
#include "nn/layers/layers.h"
#include "nn/layers/losses.h"
#include "nn/module/gradcheck_model.h"
#include "nn/module/mode.h"
#include "nn/module/module.h"
#include "nn/optim/optimisers.h"
#include "nn/optim/schedules.h"
#include "nn/recurrent/recurrent.h"
#include "nn/recurrent/recurrence.h"
#include "nn/saved/safetensors.h"
#include "nn/train/train.h"
