// What the lessons are about: readers of data, corpora generated for the course, and what several
// lessons do with them. The rooms in reading order; each uses only those before it:
//
//   training/     what a training of a lesson saves
//     next_checkpoint.h  for --resume
//   read/         data read from files of the reader
//     text_data.h     lines and pairs of text
//     labelled_text.h texts with labels
//     labelled_sets.h the same as training, validation and test set
//     marked_text.h   texts with the words that people marked
//     columns.h       lines of columns, for the readers of such files
//     images.h        images with labels
//     idx.h           images in the format of MNIST
//     labelled_graph.h graphs whose nodes have features and a class
//     sound.h         sounds
//   sound/        from samples to what a model of speech reads
//     fourier.h       the discrete Fourier transform
//     log_mel.h       log-mel frames
//   corpora/      data generated for the course
//     dice.h          random choices that are the same on every machine
//     corpus.h        Korean and English sentences with their alignments
//     texts.h         one side of them, or a file of the reader, as sentences of words
//     lexicon.h       the words of this corpus, with the particles of hangul.h
//     grammar.h       its grammar, which joins phrases of phrase.h
//     documents.h     documents of everyday words with a few words that show the topic
//     pronouns.h      sentences in which the last word decides what "it" means
//     glyphs.h        pictures of drawn signs
//     graphs.h        random graphs
//     tones.h         words of three synthesised sounds
//     short_texts.h   short texts of four topics, most of them without labels
//     communities.h   graphs with known communities and noise
//     spirals.h       points on two spirals
//     three_looks.h   a problem of hard attention that can be solved exactly
//     three_looks_exact.h its gradient and variances, summed over all paths
//     two_cameras.h   a smaller one, whose estimates have two outcomes
//   translation/  training and evaluating translation models
//     parallel_text.h sentence pairs as tokens, in three sets
//     translation.h   training, evaluation, alignment
//     pair_files.h    sentence pairs from the reader's files
//     ladder.h        five translators, from a fixed context to the Transformer
//   chat/         talking with a published model
//     format.h        the marks between the texts, which each family has of its own
//     conversation.h  its tokens and answers
//     dialogue.h      in the terminal
//
// A lesson includes what it needs of it, and no umbrella.
#pragma once
