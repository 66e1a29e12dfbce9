"""A published model in llama.cpp, by the package llama-cpp-python.

    python3 llama.py FILE PRECISION read|write THREADS FOLDER

FOLDER gets the file in another precision, made by llama.cpp itself.
"""
import ctypes
import os
import sys

import llama_cpp

import common


def in_precision(file, precision, folder):
    if precision == "file":
        return file
    made = os.path.join(folder, precision + ".gguf")
    if not os.path.exists(made):
        options = llama_cpp.llama_model_quantize_default_params()
        options.ftype = {"8_bits": llama_cpp.LLAMA_FTYPE_MOSTLY_Q8_0, "float32": llama_cpp.LLAMA_FTYPE_ALL_F32}[precision]
        options.allow_requantize = True
        if llama_cpp.llama_model_quantize(file.encode(), made.encode(), ctypes.byref(options)) != 0:
            sys.exit("llama.cpp cannot write " + made)
    return made


def main():
    file, precision, kind, threads, folder = sys.argv[1:]
    devnull = os.open(os.devnull, os.O_WRONLY)
    out = os.dup(1)  # what llama.cpp prints is no answer
    os.dup2(devnull, 1)
    os.dup2(devnull, 2)
    model = llama_cpp.Llama(in_precision(file, precision, folder), n_ctx=1024, n_batch=512, n_ubatch=512,
                            n_threads=int(threads), n_threads_batch=int(threads), verbose=False)
    os.dup2(out, 1)
    if kind == "read":
        tokens = common.text(common.READ)

        def step():
            model.reset()
            model.eval(tokens)
    else:
        model.eval(common.text(common.BEFORE - 1))

        def step():
            model.n_tokens, token = common.BEFORE - 1, common.text(common.BEFORE)[-1]
            for _ in range(common.WRITTEN):
                model.eval([token])
                logits = llama_cpp.llama_get_logits_ith(model.ctx, -1)
                token = int(np.ctypeslib.as_array(logits, shape=(model.n_vocab(),)).argmax())
    common.serve(step)


import numpy as np  # after llama_cpp, which may bring its own threads

main()
