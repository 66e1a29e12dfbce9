// Reading models from GGUF files, the format of llama.cpp: named settings ("metadata"), the tokenizer
// among them, then tensors, many of them with weights of 4 to 8 bits (ggml: docs/gguf.md).
//
//     const Gguf file = Gguf::open("SmolLM2-135M-Instruct.Q4_1.gguf");
//     file.text("general.architecture");                       // "llama"
//     Tensor x = file.tensor("blk.0.attn_q.weight");            // float32 [576, 576]
//
// Opening reads the head of the file only, and the rest is mapped (autograd/base/mapped_file.h): blocks of
// 8 and 4 bits are used where they stand, other numbers become float32 when they are asked for. So a
// model takes no memory beside its file, and none before it is used. Versions 2 and 3 are read; a file with numbers in big-endian order is refused.
//
// The file may come from anybody. What it says about sizes is compared with its own size before anything
// is allocated, and every error names the file and the field, tensor or byte.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "autograd/ops/product/quantised_matrix.h"
#include "autograd/tensor/tensor.h"

namespace heed {

// How the numbers of a tensor are written. Those with a q are in blocks that share scales.
enum class GgufType { f32, f16, bf16, q8_0, q4_0, q4_1, q4_k, q6_k };
std::string name_of(GgufType type);  // "Q8_0"

struct GgufTensor {
    std::string name;
    GgufType type = GgufType::f32;
    Shape shape;                         // as in PyTorch: the last axis is contiguous
    std::uint64_t begin = 0, bytes = 0;  // in the file
};

// A setting. Whole numbers and truth values are integers.
using GgufValue = std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>,
                               std::vector<double>, std::vector<std::string>>;

class Gguf {
  public:
    // Throw InputError when the file is missing, incomplete or not in this format, for a version or a
    // type of numbers that is not known, and for a list of lists.
    static Gguf open(const std::string& path);
    // From bytes, which must outlive the result; errors call them `name`.
    static Gguf parse(std::string_view bytes, const std::string& name);

    const std::string& path() const { return path_; }
    const std::map<std::string, GgufValue>& settings() const { return settings_; }
    const std::vector<GgufTensor>& tensors() const { return tensors_; }

    // A setting of that name and kind. Throws InputError if there is none.
    std::int64_t whole(const std::string& name) const;
    double number(const std::string& name) const;
    const std::string& text(const std::string& name) const;
    const std::vector<std::string>& texts(const std::string& name) const;
    const std::vector<std::int64_t>& wholes(const std::string& name) const;
    const std::vector<double>& numbers(const std::string& name) const;
    bool has(const std::string& name) const { return settings_.count(name) > 0; }

    const GgufTensor* find(const std::string& name) const;  // null if there is none
    // As float32. Throws InputError if there is none of that name.
    Tensor tensor(const std::string& name) const;
    // With its blocks as they are. Throws unless it is a matrix of Q8_0, Q4_0 or Q4_1.
    QuantisedMatrix matrix(const std::string& name) const;
    static bool is_matrix(const GgufTensor& tensor);

  private:
    Gguf(std::string path, std::string_view bytes, std::shared_ptr<const void> owner);
    void place_tensors(std::uint64_t head);  // which has so many bytes
    const GgufTensor& known(const std::string& name) const;
    template <class Kind>
    const Kind& setting(const std::string& name, const char* kind) const;

    std::string path_;
    std::string_view bytes_;             // of the whole file
    std::shared_ptr<const void> owner_;  // of the bytes, if it is ours
    std::map<std::string, GgufValue> settings_;
    std::vector<GgufTensor> tensors_;
    std::map<std::string, std::size_t> index_;
};

}  // namespace heed
