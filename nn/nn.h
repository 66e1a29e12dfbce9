// Neural networks on the engine of autograd/autograd.h. A reading order, one folder after the other:
//
//   module/     module.h: a model is a struct with one visit() line; its parameters and buffers, freezing,
//               copying. mode.h: training or evaluation. gradcheck_model.h: the gradient check of a model
//   saved/      safetensors.h: models in files
//   layers/     layers.h: dense, embedding, dropout, normalisation, convolution, pooling, Sequential;
//               init.h: initial values of parameters; losses.h
//   recurrent/  recurrent.h: Rnn, Gru, Lstm and their cells; recurrence.h and cells.h: how they work
//   optim/      optimiser.h: one update of all parameters; optimisers.h: Sgd, Adam, AdamW, RmsProp;
//               weight_decay.h, schedules.h (learning rates), average.h (averages of weights)
//   data/       dataset.h: data sets of pairs and their batches; batches.h: batches of sentences;
//               vocabulary.h and utf8.h: text as integers; metrics.h: how good predictions are
//   train/      train.h: the training loop; early_stopping.h
#pragma once

#include "autograd/autograd.h"
#include "nn/data/batches.h"
#include "nn/data/dataset.h"
#include "nn/data/metrics.h"
#include "nn/data/utf8.h"
#include "nn/data/vocabulary.h"
#include "nn/layers/init.h"
#include "nn/layers/layers.h"
#include "nn/layers/losses.h"
#include "nn/module/gradcheck_model.h"
#include "nn/module/mode.h"
#include "nn/module/module.h"
#include "nn/optim/average.h"
#include "nn/optim/optimisers.h"
#include "nn/optim/schedules.h"
#include "nn/optim/weight_decay.h"
#include "nn/recurrent/recurrence.h"
#include "nn/recurrent/recurrent.h"
#include "nn/saved/safetensors.h"
#include "nn/train/early_stopping.h"
#include "nn/train/train.h"
