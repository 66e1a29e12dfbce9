// Neural networks, built on the engine of autograd/autograd.h. Each folder uses only those before
// it. A reading order:
//
//   module/     what can be done with any model
//     module.h           parameters are found through one visit() line: counting, freezing, copying
//     hooks.h            any value inside a model, read and replaced by name
//     mode.h             training or evaluation
//     gradcheck_model.h  the gradient check of a whole model
//   saved/      models in files
//     safetensors.h      saving and loading tensors, models and PyTorch's weights
//     reader.h           reading such files, which may come from anybody; their header in header.h
//     saved_state.h      what changes during training, collected and restored
//   data/       what models are trained and judged on
//     dataset.h          data sets of pairs (x, y), split and loaded in batches
//     batches.h          sentences of different lengths: padding, masks, batches of similar length
//     vocabulary.h       tokens and their ids
//     metrics.h          accuracy, confusion matrix, edit distance, word error rate, BLEU,
//                        perplexity
//   layers/     layers and losses
//     init.h             how weights are initialised
//     layers.h           includes all layers, which are in:
//     linear.h           Linear, Embedding
//     dropout.h          Dropout
//     normalisation.h    LayerNorm, RmsNorm, GroupNorm, BatchNorm
//     convolution.h      convolutions and pooling
//     sequential.h       layers called one after another; activations as layers
//     losses.h           how far predictions are from their targets
//   recurrent/  recurrent networks
//     cells.h            the formulas of the cells, each with its gradient beside it
//     recurrence.h       one step of a cell and all steps of a sequence
//     recurrent.h        the layers Rnn, Gru and Lstm, and RecurrentCell for decoders
//     recurrence_kernels.h  the fast loops behind recurrence.h
//   optim/      how parameters are updated
//     optimiser.h        what optimisers have in common; gradient clipping
//     optimisers.h       Sgd, Adam, AdamW, RmsProp
//     weight_decay.h     which parameters decay
//     schedules.h        learning rates that change during training
//     average.h          averages of weights: exponential, and the plain mean of SWA
//   train/      the training loop
//     early_stopping.h   stopping when validation no longer improves; the best weights
//     stop_signals.h     Ctrl-C as a question that a loop asks
//     checkpoint.h       training that can be stopped at any moment and goes on later
//     ranks.h            several processes train one model: sums, averages of gradients
//     forked_ranks.h     such processes on one machine, without MPI (with it: mpi/mpi_ranks.h)
//     train.h            train(): updates, clipping, schedule, validation, report
#pragma once

#include "autograd/autograd.h"
#include "autograd/base/utf8.h"
#include "nn/data/batches.h"
#include "nn/data/dataset.h"
#include "nn/data/metrics.h"
#include "nn/data/vocabulary.h"
#include "nn/layers/init.h"
#include "nn/layers/layers.h"
#include "nn/layers/losses.h"
#include "nn/module/gradcheck_model.h"
#include "nn/module/hooks.h"
#include "nn/module/mode.h"
#include "nn/module/module.h"
#include "nn/optim/average.h"
#include "nn/optim/optimisers.h"
#include "nn/optim/schedules.h"
#include "nn/optim/weight_decay.h"
#include "nn/recurrent/recurrence.h"
#include "nn/recurrent/recurrent.h"
#include "nn/saved/safetensors.h"
#include "nn/saved/saved_state.h"
#include "nn/train/checkpoint.h"
#include "nn/train/early_stopping.h"
#include "nn/train/forked_ranks.h"
#include "nn/train/ranks.h"
#include "nn/train/train.h"
