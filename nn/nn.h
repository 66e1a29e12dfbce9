// Neural networks, built on the engine of autograd/autograd.h. Each folder uses only those before
// it. A reading order:
//
//   module/     what can be done with any model
//     module.h           What can be done with any model, by way of the one line it provides
//     mode.h             Whether a model is being trained or used
//     gradcheck_model.h  The gradient check for a whole model: its parameters are inputs like any
//                        other
//     hooks.h            Values inside a model, read and replaced by name
//   saved/      models in files
//     safetensors.h  Tensors in a file, in the safetensors format of Hugging Face: eight bytes with
//                    the length of a header, the header in JSON (for every tensor its name, dtype,
//                    shape and byte offsets, and a map of strings), then the numbers
//     reader.h       Reading tensors from a file in the safetensors format, which safetensors.h
//                    describes and writes
//     saved_state.h  What changes while a model is trained, so that training can go on later with
//                    the same numbers: generators, positions in the data, moments of the optimiser,
//                    averages, and numbers of one's own
//     gguf.h         Reading models from GGUF files, the format of llama.cpp: named settings
//                    ("metadata"), the tokenizer among them, then tensors, many of them with
//                    weights of 4 to 8 bits (ggml: docs/gguf.md)
//     header.h       The header of a safetensors file: a JSON object with one entry for each
//                    tensor, and a map of strings
//   text/       from texts to the tokens of published models
//     tokenizer.h        The tokenizer of a published model, read from its file: from a text to the
//                        ids that the model was trained on, and back
//     word_pieces.h      WordPiece, the tokens of BERT
//     byte_pairs.h       Byte-level BPE, the tokens of GPT-2 and of most models since
//     sentence_pieces.h  SentencePiece's BPE, the tokens of Llama 2, TinyLlama and Mistral
//     token_list.h       The tokens of a vocabulary, by id and by name
//     joins.h            The step that all BPE tokenizers share: which neighbouring tokens become
//                        one, and in which order
//     split.h            How a text is cut before byte-level BPE looks for tokens: tokens never
//                        reach across a cut
//     unicode.h          Unicode as the tokenizers of published models need it: classes of
//                        characters, small letters, and the decomposition of letters with accents
//     unicode_tables.h   Tables of Unicode for unicode.cpp, written by
//                        tests/parity/unicode_tables.py
//     learn.h            A tokenizer learned from texts: byte-level BPE
//   data/       what models are trained and judged on
//     dataset.h     Data sets of pairs (x, y) and their batches, for data whose examples all have
//                   one shape
//     batches.h     Batches of sentences, which have different lengths: padding, masks, and batches
//                   of similar length
//     vocabulary.h  A vocabulary: the tokens (words or characters) of a language, and an id for
//                   each
//     metrics.h     How good predictions are, in numbers that are reported and not differentiated
//   layers/     layers and losses
//     init.h           Initial values of parameters
//     layers.h         The layers, except the recurrent ones (nn/recurrent) and attention
//     linear.h         The dense layer and the table of embeddings
//     dropout.h        Dropout
//     normalisation.h  Normalisation: subtract a mean, divide by a standard deviation, then scale
//                      and shift each feature with a learned weight and bias
//     convolution.h    Layers for images [B, C, H, W] and sequences [B, C, T]: convolutions, and
//                      pooling for Sequential
//     adapters.h       Low-rank adapters: a trained model is changed a little, by few parameters
//     sequential.h     Layers called one after another, each with the result of the one before
//     losses.h         Losses: how wrong a prediction is, as one number to be minimised
//     ctc.h            CTC, connectionist temporal classification: labels for a sequence of frames
//                      when nobody has said which frame belongs to which label
//     interpolate.h    Resizing of grids: pictures, feature maps, and tables of positions that
//                      belong to a grid
//     quantise.h       The weights of a model's Linear layers in 8 or 4 bits, for decoding
//                      (ops/product/quantised_matrix.h)
//   recurrent/  recurrent networks
//     cells.h               The formulas of the recurrent cells
//     recurrence.h          A recurrent cell at work: one step, and all steps of a sequence
//     recurrent.h           Recurrent layers: Rnn, Gru and Lstm, which read whole sequences, and
//                           RecurrentCell, one step with its weights, for decoders that go step by
//                           step
//     recurrence_kernels.h  The loops behind recurrence.h: what makes a step and a sequence fast
//   optim/      how parameters are updated
//     optimiser.h     What all optimisers have in common: one update of all parameters from their
//                     gradients
//     optimisers.h    The optimisers: stochastic gradient descent, Adam, AdamW and RMSprop
//     weight_decay.h  Which parameters weight decay applies to
//     schedules.h     Schedules of the learning rate: functions from the number of an update,
//                     counted from 1, to a factor on the optimiser's learning rate
//     average.h       An average of a model's weights over the course of training
//   train/      the training loop
//     early_stopping.h  Early stopping: training ends when validation no longer improves, and the
//                       model gets back the weights with which validation was best
//     stop_signals.h    Ctrl-C (SIGINT) and SIGTERM as a question that a loop asks: has the program
//                       been told to stop?
//     checkpoint.h      Training that survives: it can be stopped at any moment, by Ctrl-C, by a
//                       signal, by a crash or a power failure, and goes on later with the same
//                       numbers, to the bit, as if it had never stopped
//     ranks.h           Data-parallel training: several processes, the *ranks*, hold the same model
//     forked_ranks.h    The ranks of data-parallel training (ranks.h) as processes on this machine,
//                       without MPI
//     train.h           The training loop: update after update, with gradient clipping, a schedule
//                       of the learning rate, validation with early stopping, checkpoints, and a
//                       report
#pragma once

#include "autograd/autograd.h"
#include "autograd/base/utf8.h"
#include "nn/data/batches.h"
#include "nn/data/dataset.h"
#include "nn/data/metrics.h"
#include "nn/data/vocabulary.h"
#include "nn/layers/ctc.h"
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
#include "nn/saved/gguf.h"
#include "nn/saved/safetensors.h"
#include "nn/saved/saved_state.h"
#include "nn/text/learn.h"
#include "nn/text/tokenizer.h"
#include "nn/train/checkpoint.h"
#include "nn/train/early_stopping.h"
#include "nn/train/forked_ranks.h"
#include "nn/train/ranks.h"
#include "nn/train/train.h"
