#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "nn/nn.h"
#include "tests/autograd/compare.h"

using namespace heed;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::string path = "nn_test.safetensors";

struct RemoveFile {
    ~RemoveFile() { std::filesystem::remove(path); }
};

std::string read_file() {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}
void write_file(const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

// A file of the given header and numbers.
std::string file_of(const std::string& header, const std::string& numbers) {
    std::string bytes(8, '\0');
    for (int i = 0; i < 8; ++i)
        bytes[i] = static_cast<char>(uint64_t(header.size()) >> 8 * i & 255);
    return bytes + header + numbers;
}

void refused(const std::string& bytes, const std::string& message) {
    write_file(bytes);
    CHECK_THROWS_WITH(load_safetensors(path), ContainsSubstring(path + ": " + message));
}

struct Model {
    Embedding source;
    Gru gru;
    Linear output;
    explicit Model(int64_t width = 4) {
        Rng rng(width);
        source = Embedding(7, 4, rng);
        gru = Gru(4, width, {}, rng);
        output = Linear(4, 7, rng);
        output.weight = source.weight;
    }
    template <class F>
    void visit(F&& f) {
        f("source", source);
        f("encoder.gru", gru);
        f("output", output);
    }
};

}  // namespace

TEST_CASE("tensors of both dtypes and metadata are read back as they were saved") {
    const RemoveFile at_end;
    const Tensor a = numbers({2, 3}), b = to_dtype(numbers({5}, 2), Dtype::float32);
    const Tensor view = transpose(to_dtype(numbers({2, 4}, 3), Dtype::float32));
    save_safetensors(
        path, {{{"b", b}, {"a", a}, {"view", view}, {"one", scalar(3)}, {"none", zeros({0, 2})}},
               {{"한글", "\"quoted\"\nline"}}});
    const Safetensors file = load_safetensors(path);
    CHECK(file.metadata.at("한글") == "\"quoted\"\nline");
    REQUIRE(file.tensors.size() == 5);
    CHECK(file.find("a")->dtype() == Dtype::float64);
    CHECK(file.find("b")->dtype() == Dtype::float32);
    CHECK(largest_difference(*file.find("a"), a) == 0);
    CHECK(largest_difference(*file.find("b"), b) == 0);
    CHECK(largest_difference(*file.find("view"), view) == 0);
    CHECK(file.find("one")->shape() == Shape{});
    CHECK(file.find("none")->shape() == Shape{0, 2});
    CHECK(file.find("unknown") == nullptr);
    CHECK(!std::filesystem::exists(path + ".tmp"));
}

TEST_CASE("the bytes follow the format: length, JSON padded to eight bytes, numbers in order") {
    const RemoveFile at_end;
    save_safetensors(path, {{{"x", tensor({1, -2})}}, {}});
    const std::string header = R"({"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
    const std::string padded = header + std::string((8 - header.size() % 8) % 8, ' ');
    CHECK(read_file() == file_of(padded, std::string("\0\0\x80\x3f\0\0\0\xc0", 8)));
}

TEST_CASE("F16 and BF16 are read into float32") {
    const RemoveFile at_end;
    const std::string header = R"({"h":{"dtype":"F16","shape":[6],"data_offsets":[0,12]},)"
                               R"("b":{"dtype":"BF16","shape":[2],"data_offsets":[12,16]}})";
    const std::string halves("\x00\x3c\x00\xc0\x55\x35\x01\x00\x00\x7c\xff\x7b", 12);
    write_file(file_of(header, halves + std::string("\x80\x3f\x49\xc0", 4)));
    const Safetensors file = load_safetensors(path);
    CHECK(file.find("h")->to_vector() ==
          std::vector<double>{1, -2, 0.333251953125, 5.9604644775390625e-8, infinity, 65504});
    CHECK(file.find("b")->to_vector() == std::vector<double>{1, -3.140625});
}

TEST_CASE("errors in a file say what is wrong", "[errors]") {
    const RemoveFile at_end;
    save_safetensors(path, {{{"x", ones({2, 2})}, {"y", ones({3})}}, {}});
    const std::string good = read_file();
    refused("", "cut short: 0 bytes are too few for a safetensors file");
    refused(good.substr(0, 5), "cut short: 5 bytes are too few");
    refused(good.substr(0, 40), "cut short, or not a safetensors file: a header of");
    refused(good.substr(0, good.size() - 1),
            "cut short: 'y' ends at byte 28 of the data, there are 27");
    refused(good + "z", "1 bytes are left over after the last tensor");
    refused("PK\3\4 is how a zip file begins", "not a safetensors file: a header of");
    refused(file_of("{\"x\": ", ""), "malformed header: ");
    refused(file_of("[]", ""), "malformed header: expected a JSON object");
    refused(file_of(R"({"__metadata__":{"a":1}})", ""),
            "malformed header: metadata 'a' is not a string");
    const auto with = [](const std::string& entry) {
        return file_of("{\"x\":" + entry + "}", std::string(8, '\0'));
    };
    refused(with(R"({"dtype":"F32","shape":[2]})"), "malformed header: 'x' needs a dtype");
    refused(with(R"({"dtype":"F32","shape":[-2],"data_offsets":[0,8]})"),
            "malformed header: 'x' needs a dtype");
    refused(with(R"({"dtype":"I32","shape":[1],"data_offsets":[0,8]})"),
            "'x': dtype I32 is not supported, expected F64, F32, F16, BF16 or I64");
    refused(with(R"({"dtype":"F32","shape":[3],"data_offsets":[0,8]})"),
            "'x': F32 of shape [3] takes 12 bytes, its data_offsets are [0, 8]");
    refused(with(R"({"dtype":"F32","shape":[1],"data_offsets":[4,8]})"),
            "'x': begins at byte 4 of the data, expected 0");
    refused(with(R"({"dtype":"F32","shape":[1,1,1,1,1,1,2],"data_offsets":[0,8]})"),
            "'x': 7 axes are too many, at most 6");
    refused(with(R"({"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,8]})"),
            "'x': shape [4611686018427387904,4] is too large");
    CHECK_THROWS_WITH(load_safetensors("no/such.safetensors"),
                      ContainsSubstring("no/such.safetensors: cannot be read: "));
    CHECK_THROWS_WITH(save_safetensors("no/such.safetensors", {}),
                      ContainsSubstring("no/such.safetensors: cannot be written"));
    CHECK_THROWS_WITH(save_safetensors(path, {{{"x", ones({1})}, {"x", ones({1})}}, {}}),
                      path + ": there are two tensors named 'x'");
}

TEST_CASE("a model is saved and loaded, with its tied weights") {
    const RemoveFile at_end;
    Model model(4), other(4);
    for (const Parameter& p : parameters(other)) {
        Tensor x = p.tensor;
        x.assign(zeros(x.shape()));
    }
    save_model(model, path, {{"seed", "1"}});
    CHECK(load_safetensors(path).find("output.weight") == nullptr);
    CHECK(load_safetensors(path).find("encoder.gru.weight_ih_l0") != nullptr);
    CHECK(load_model(other, path).at("seed") == "1");
    const auto all = parameters(model), loaded = parameters(other);
    for (std::size_t i = 0; i < all.size(); ++i)
        CHECK(largest_difference(all[i].tensor, loaded[i].tensor) == 0);
    CHECK(other.output.weight.body() == other.source.weight.body());

    // A model of the other dtype, and parameters under other names.
    Model wide(4);
    to_dtype(wide, Dtype::float64);
    load_model(wide, path);
    CHECK(wide.output.bias.to_vector() == model.output.bias.to_vector());
    const auto renamed = [](const std::string& name) { return "model/" + name; };
    save_model(model, path, {}, renamed);
    CHECK(load_safetensors(path).find("model/output.bias") != nullptr);
    CHECK_THROWS_WITH(load_model(other, path), ContainsSubstring("not a file of this model"));
    load_model(other, path, renamed);
}

TEST_CASE("a file of another model is refused and changes nothing", "[errors]") {
    const RemoveFile at_end;
    Model model(4);
    const std::vector<double> before = model.source.weight.to_vector();
    const auto refuses = [&](const std::string& message) {
        CHECK_THROWS_WITH(load_model(model, path), message);
        CHECK(model.source.weight.to_vector() == before);
    };
    Model larger(8);
    save_model(larger, path);
    refuses(path + ": 'encoder.gru.weight_ih_l0': expected shape [12, 4], found [24, 4]");

    std::vector<Parameter> some = parameters(model);
    some[0].tensor = zeros(some[0].tensor.shape());
    some.pop_back();
    save_safetensors(path, {some, {}});
    refuses(path + ": lacks 'output.bias'");
    some = parameters(model);
    some.push_back({"extra", ones({1})});
    save_safetensors(path, {some, {}});
    refuses(path + ": has 'extra', which the model does not");
    some.back() = {"output.weight", ones({7, 4})};
    save_safetensors(path, {some, {}});
    refuses(path +
            ": 'source.weight' and 'output.weight' are one tied tensor in the model, but "
            "differ in the file");
    save_safetensors(path, {{{"a", ones({1})}}, {}});
    refuses(path +
            ": not a file of this model: it lacks 'source.weight', 'encoder.gru.weight_ih_l0', "
            "'encoder.gru.weight_hh_l0' and 4 more and has 'a' instead");
}
