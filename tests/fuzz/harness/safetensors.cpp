// Safetensors files. The second reader makes a tree of the header and takes each number from its
// offsets; it is only asked for files that the first has accepted.
#include "nn/saved/safetensors.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "tests/fuzz/harness.h"

namespace {

double number(std::string_view bytes, const std::string& dtype) {
    if (dtype == "F64") {
        double x;
        std::memcpy(&x, bytes.data(), 8);
        return x;
    }
    if (dtype == "I64") {
        std::int64_t x;
        std::memcpy(&x, bytes.data(), 8);
        return static_cast<double>(x);
    }
    if (dtype == "F32") {
        float x;
        std::memcpy(&x, bytes.data(), 4);
        return x;
    }
    std::uint16_t bits;
    std::memcpy(&bits, bytes.data(), 2);
    if (dtype == "BF16") return std::bit_cast<float>(std::uint32_t{bits} << 16);
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double x = exponent == 31  ? (fraction ? NAN : INFINITY)
               : exponent == 0 ? fraction / 1024.0 * std::pow(2, -14)
                               : (1 + fraction / 1024.0) * std::pow(2, exponent - 15);
    return bits >> 15 ? -x : x;
}

}  // namespace

void heed::fuzz::safetensors(std::string_view bytes) {
    Safetensors read;
    if (!accepts([&] { read = parse_safetensors(bytes, file); })) return;
    std::uint64_t length;
    std::memcpy(&length, bytes.data(), 8);
    const auto header = nlohmann::json::parse(bytes.substr(8, length));
    const std::string_view data = bytes.substr(8 + length);
    const std::size_t metadata = header.count("__metadata__");
    if (header.size() != read.tensors.size() + metadata) wrong("the number of tensors");
    if (metadata && header["__metadata__"].size() != read.metadata.size()) wrong("the metadata");
    for (const auto& [key, value] : read.metadata)
        if (header["__metadata__"].at(key) != value) wrong("a text of the metadata");

    std::size_t used = 0;
    for (const Parameter& p : read.tensors) {
        const auto& entry = header.at(p.name);
        const auto shape = entry.at("shape").get<std::vector<std::int64_t>>();
        if (std::vector<std::int64_t>(p.tensor.shape().begin(), p.tensor.shape().end()) != shape)
            wrong("a shape");
        const std::size_t begin = entry.at("data_offsets")[0], end = entry.at("data_offsets")[1];
        const std::string dtype = entry.at("dtype");
        const std::size_t width = dtype == "F64" || dtype == "I64" ? 8 : dtype == "F32" ? 4 : 2;
        used += end - begin;
        const std::vector<double> values = p.tensor.to_vector();
        if (values.size() * width != end - begin) wrong("the number of values");
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double expected = number(data.substr(begin + i * width, width), dtype);
            if (values[i] != expected && !(std::isnan(values[i]) && std::isnan(expected)))
                wrong("a value");
        }
    }
    if (used != data.size()) wrong("bytes that belong to no tensor");
}
