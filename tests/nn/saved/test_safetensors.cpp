#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "nn/nn.h"
#include "tests/autograd/compare.h"

using namespace heed;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::string model_file = "nn_test.safetensors";

struct RemoveFile {
    ~RemoveFile() { std::filesystem::remove(model_file); }
};

std::string read_file() {
    std::ostringstream text;
    text << std::ifstream(model_file, std::ios::binary).rdbuf();
    return text.str();
}
void write_file(const std::string& bytes) { std::ofstream(model_file, std::ios::binary) << bytes; }

// A file of the given header and numbers.
std::string file_of(const std::string& header, const std::string& numbers) {
    std::string bytes(8, '\0');
    for (int i = 0; i < 8; ++i)
        bytes[i] = static_cast<char>(uint64_t(header.size()) >> 8 * i & 255);
    return bytes + header + numbers;
}

void refused(const std::string& bytes, const std::string& message) {
    write_file(bytes);
    CHECK_THROWS_WITH(load_safetensors(model_file), ContainsSubstring(model_file + ": " + message));
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
        model_file,
        {{{"b", b}, {"a", a}, {"view", view}, {"one", scalar(3)}, {"none", zeros({0, 2})}},
         {{"한글", "\"quoted\"\nline"}}});
    const Safetensors file = load_safetensors(model_file);
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
    CHECK(!std::filesystem::exists(model_file + ".tmp"));
}

TEST_CASE("the bytes follow the format: length, JSON padded to eight bytes, numbers in order") {
    const RemoveFile at_end;
    save_safetensors(model_file, {{{"x", tensor({1, -2})}}, {}});
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
    const Safetensors file = load_safetensors(model_file);
    CHECK(file.find("h")->to_vector() ==
          std::vector<double>{1, -2, 0.333251953125, 5.9604644775390625e-8, infinity, 65504});
    CHECK(file.find("b")->to_vector() == std::vector<double>{1, -3.140625});
}

TEST_CASE("errors in a file say what is wrong", "[errors]") {
    const RemoveFile at_end;
    save_safetensors(model_file, {{{"x", ones({2, 2})}, {"y", ones({3})}}, {}});
    const std::string good = read_file();
    refused("",
            "byte 0: expected the length of the header in 8 bytes, found 0 bytes in all; is "
            "the file cut short?");
    refused(good.substr(0, 5),
            "byte 0: expected the length of the header in 8 bytes, found 5 bytes");
    refused(good.substr(0, 40), "byte 0: expected the length of the header, at most 32, found ");
    refused(good.substr(0, good.size() - 1),
            "'y': data_offsets: expected an end within the data (cut short?), at most byte 27, "
            "found 28");
    refused(good + "z", fmt::format("byte {}: expected the end of the file after the last tensor, "
                                    "found 1 bytes more",
                                    good.size()));
    refused("PK\3\4 is how a zip file begins",
            "byte 0: expected the length of the header, at most ");
    refused(file_of("{\"x\": ", ""), "byte 14: expected a header in JSON, found '\"x\": '");
    refused(file_of("{\"x\": tru}", ""), "byte 17: expected a header in JSON, found '\"x\": tru}'");
    refused(file_of("", ""), "byte 8: expected a header in JSON, found ''");
    refused(file_of("[]", ""), "header: expected a JSON object, found a list");
    refused(file_of("7", ""), "header: expected a JSON object, found 7");
    refused(file_of(R"({"__metadata__":{"a":1}})", ""), "metadata 'a': expected a text, found 1");
    refused(file_of(R"({"__metadata__":[]})", ""),
            "'__metadata__': expected a JSON object, found a list");
    const auto with = [](const std::string& entry) {
        return file_of("{\"x\":" + entry + "}", std::string(8, '\0'));
    };
    refused(with("3"), "'x': expected a JSON object, found 3");
    refused(with(R"({"dtype":"F32","shape":[2]})"),
            "'x': expected dtype, shape and data_offsets, found no data_offsets");
    refused(with(R"({"dtype":"F32","shape":[2],"data_offsets":[0,8],"more":1})"),
            "'x': expected dtype, shape and data_offsets, found 'more'");
    refused(with(R"({"dtype":32,"shape":[2],"data_offsets":[0,8]})"),
            "'x': dtype: expected a text, found 32");
    refused(with(R"({"dtype":"F32","shape":2,"data_offsets":[0,8]})"),
            "'x': shape: expected a list of whole numbers, found 2");
    refused(with(R"({"dtype":"F32","shape":[-2],"data_offsets":[0,8]})"),
            "'x': shape: expected whole numbers, 0 or more, found -2");
    refused(with(R"({"dtype":"F32","shape":[2.0],"data_offsets":[0,8]})"),
            "'x': shape: expected whole numbers, 0 or more, found 2.0");
    refused(with(R"({"dtype":"I32","shape":[1],"data_offsets":[0,8]})"),
            "'x': dtype: expected F64, F32, F16, BF16 or I64, found 'I32'");
    refused(with(R"({"dtype":"F32","shape":[3],"data_offsets":[0,8]})"),
            "'x': data_offsets: expected 12 bytes for F32 of shape [3], found [0, 8]");
    refused(with(R"({"dtype":"F32","shape":[3],"data_offsets":[8,0]})"),
            "'x': data_offsets: expected 12 bytes for F32 of shape [3], found [8, 0]");
    refused(with(R"({"dtype":"F32","shape":[3],"data_offsets":[0,4,8]})"),
            "'x': data_offsets: expected two numbers, found more");
    refused(with(R"({"dtype":"F32","shape":[3],"data_offsets":[0]})"),
            "'x': data_offsets: expected two numbers, found 1");
    refused(with(R"({"dtype":"F32","shape":[1],"data_offsets":[4,8]})"),
            "'x': data_offsets: expected no gap and no overlap, so a start at byte 0, found 4");
    refused(with(R"({"dtype":"F32","shape":[1,1,1,1,1,1,2],"data_offsets":[0,8]})"),
            "'x': shape: expected at most 6 axes, found more");
    CHECK_THROWS_WITH(load_safetensors("no/such.safetensors"),
                      ContainsSubstring("no/such.safetensors: cannot be read: "));
    CHECK_THROWS_WITH(load_safetensors("."), ".: expected a file, found a folder");
    CHECK_THROWS_WITH(load_safetensors("/dev/zero"), "/dev/zero: expected a file, found a device");
    CHECK_THROWS_WITH(save_safetensors("no/such.safetensors", {}),
                      ContainsSubstring("no/such.safetensors: cannot be written"));
    CHECK_THROWS_WITH(save_safetensors(model_file, {{{"x", ones({1})}, {"x", ones({1})}}, {}}),
                      model_file + ": there are two tensors named 'x'");
}

namespace {

// What is said about a file with this header and these numbers.
std::string said_about(const std::string& header, const std::string& numbers = "") {
    try {
        parse_safetensors(file_of(header, numbers), "f");
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("sizes in a file are held against the size of the file", "[errors]") {
    const auto header_of = [](uint64_t length) {
        std::string bytes(8, '\0');
        for (int i = 0; i < 8; ++i) bytes[i] = static_cast<char>(length >> 8 * i & 255);
        return bytes + "{}";
    };
    for (const uint64_t length : {uint64_t{3}, uint64_t{1} << 20, uint64_t{1} << 63, ~uint64_t{0}})
        CHECK_THROWS_WITH(parse_safetensors(header_of(length), "f"),
                          fmt::format("f: byte 0: expected the length of the header, at most 2, "
                                      "found {}; is this a safetensors file, and complete?",
                                      length));
    const auto shape = [](const std::string& sizes, const std::string& offsets) {
        return said_about("{\"x\":{\"dtype\":\"F32\",\"shape\":" + sizes +
                          ",\"data_offsets\":" + offsets + "}}");
    };
    CHECK(shape("[4611686018427387904,4]", "[0,0]") ==
          "f: 'x': shape: expected a size of at most 2^48, found 4611686018427387904");
    CHECK(shape("[4294967296,4294967296]", "[0,0]") ==
          "f: 'x': shape: expected an array of at most 2^48 bytes, found [4294967296, 4294967296]");
    // Whatever the order of the axes, also beside one of size 0.
    CHECK(shape("[0,4294967296,4294967296]", "[0,0]").find("at most 2^48 bytes") !=
          std::string::npos);
    CHECK(shape("[4294967296,0,4294967296]", "[0,0]").find("at most 2^48 bytes") !=
          std::string::npos);
    CHECK(shape("[18446744073709551616]", "[0,0]") ==
          "f: 'x': shape: expected whole numbers, 0 or more, found 18446744073709551616");
    CHECK(shape("[1024]", "[0,4096]") ==
          "f: 'x': data_offsets: expected an end within the data (cut short?), at most byte 0, "
          "found 4096");
    CHECK(shape("[1]", "[18446744073709551612,18446744073709551615]").starts_with("f: 'x': data_"));
    CHECK(shape("[0,5]", "[0,0]") == "");
}

TEST_CASE("nested brackets end neither the stack nor the screen", "[errors]") {
    const std::string deep(100'000, '[');
    CHECK(said_about(deep) == "f: header: expected a JSON object, found a list");
    CHECK(said_about("{\"x\":" + deep) == "f: 'x': expected a JSON object, found a list");
    CHECK(said_about("{\"x\":{\"shape\":" + deep) ==
          "f: 'x': shape: expected whole numbers, 0 or more, found a list");
    std::string objects;
    for (int i = 0; i < 100'000; ++i) objects += "{\"a\":";
    CHECK(said_about(objects) == "f: 'a': expected dtype, shape and data_offsets, found 'a'");
    const std::string name(1'000'000, 'n');
    CHECK(said_about("{\"" + name + "\":1}").size() < 200);
    CHECK(said_about("{\"x\":\"" + name + "\"}").size() < 200);
    CHECK(said_about("{\"" + name).size() < 200);
}

TEST_CASE("overlaps, gaps and names that occur twice are refused", "[errors]") {
    const auto two = [](const char* first, const char* second) {
        return said_about(fmt::format(R"({{"a":{{"dtype":"F32","shape":[1],"data_offsets":{}}},)"
                                      R"("b":{{"dtype":"F32","shape":[1],"data_offsets":{}}}}})",
                                      first, second),
                          std::string(12, '\0'));
    };
    CHECK(two("[0,4]", "[8,12]") ==
          "f: 'b': data_offsets: expected no gap and no overlap, so a start at byte 4, found 8");
    CHECK(two("[4,8]", "[2,6]") ==
          "f: 'b': data_offsets: expected no gap and no overlap, so a start at byte 0, found 2");
    CHECK(two("[0,4]", "[2,6]") ==
          "f: 'b': data_offsets: expected no gap and no overlap, so a start at byte 4, found 2");
    CHECK(two("[4,8]", "[0,4]") ==
          "f: byte 123: expected the end of the file after the last tensor, found 4 bytes more");
    CHECK(said_about(R"({"a":{"dtype":"F32","shape":[0],"data_offsets":[0,0]},)"
                     R"("a":{"dtype":"F32","shape":[0],"data_offsets":[0,0]}})") ==
          "f: the name 'a' occurs twice in the header, expected once");
    CHECK(said_about(R"({"a":{"dtype":"F32","dtype":"F64","shape":[0],"data_offsets":[0,0]}})") ==
          "f: 'a': dtype occurs twice, expected once");
    CHECK(said_about(R"({"__metadata__":{"k":"1","k":"2"}})") ==
          "f: metadata 'k' occurs twice, expected once");
    CHECK(said_about(R"({"__metadata__":{},"__metadata__":{}})") ==
          "f: the name '__metadata__' occurs twice in the header, expected once");
    CHECK(said_about("{\"a\\u001b[2J\\u202e\":1}") ==
          "f: 'a\\x1B[2J\\u202E': expected a JSON object, found 1");
}

TEST_CASE("whole numbers that float64 cannot hold are refused", "[errors]") {
    const auto whole = [](int64_t number) {
        std::string bytes(8, '\0');
        std::memcpy(bytes.data(), &number, 8);
        return said_about(R"({"n":{"dtype":"I64","shape":[1],"data_offsets":[0,8]}})", bytes);
    };
    CHECK(whole(-(int64_t{1} << 53)) == "");
    CHECK(whole((int64_t{1} << 53) + 1) ==
          "f: 'n': expected whole numbers that float64 can hold, at most 2^53 in size, found "
          "9007199254740993");
}

TEST_CASE("a model does not take numbers that are not finite, unless asked to", "[errors]") {
    const RemoveFile at_end;
    Model model(4);
    const std::vector<double> before = model.source.weight.to_vector();
    for (const double bad : {std::nan(""), double(infinity), -double(infinity), 3e38, -1e19}) {
        std::vector<Parameter> all;
        for (const Parameter& p : parameters(model)) all.push_back({p.name, copy_of(p.tensor)});
        all[0].tensor.edit<float>()[6] = static_cast<float>(bad);
        save_safetensors(model_file, {all, {}});
        const std::string shown = fmt::format("{}", static_cast<float>(bad));
        CHECK_THROWS_WITH(load_model(model, model_file),
                          model_file +
                              ": 'source.weight': element [1, 2]: expected a number that is "
                              "finite, and its square too (at most 9.2e+18 in size), found " +
                              shown);
        CHECK(model.source.weight.to_vector() == before);
        Model other(4);
        load_model(other, model_file, {}, Numbers::any);
        CHECK(fmt::format("{}", other.source.weight.data<float>()[6]) == shown);
    }
    // What is finite in the file but not in the model is refused too.
    std::vector<Parameter> wide;
    for (const Parameter& p : parameters(model))
        wide.push_back({p.name, full(p.tensor.shape(), 1e30, Dtype::float64)});
    save_safetensors(model_file, {wide, {}});
    CHECK_THROWS_WITH(load_model(model, model_file), ContainsSubstring("found 1e+30"));
    to_dtype(model, Dtype::float64);
    CHECK_NOTHROW(load_model(model, model_file));
}

TEST_CASE("a model is saved and loaded, with its tied weights") {
    const RemoveFile at_end;
    Model model(4), other(4);
    for (const Parameter& p : parameters(other)) {
        Tensor x = p.tensor;
        x.assign(zeros(x.shape()));
    }
    save_model(model, model_file, {{"seed", "1"}});
    CHECK(load_safetensors(model_file).find("output.weight") == nullptr);
    CHECK(load_safetensors(model_file).find("encoder.gru.weight_ih_l0") != nullptr);
    CHECK(load_model(other, model_file).at("seed") == "1");
    const auto all = parameters(model), loaded = parameters(other);
    for (std::size_t i = 0; i < all.size(); ++i)
        CHECK(largest_difference(all[i].tensor, loaded[i].tensor) == 0);
    CHECK(other.output.weight.body() == other.source.weight.body());

    // A model of the other dtype, and parameters under other names.
    Model wide(4);
    to_dtype(wide, Dtype::float64);
    load_model(wide, model_file);
    CHECK(wide.output.bias.to_vector() == model.output.bias.to_vector());
    const auto renamed = [](const std::string& name) { return "model/" + name; };
    save_model(model, model_file, {}, renamed);
    CHECK(load_safetensors(model_file).find("model/output.bias") != nullptr);
    CHECK_THROWS_WITH(load_model(other, model_file), ContainsSubstring("not a file of this model"));
    load_model(other, model_file, renamed);
}

TEST_CASE("a file of another model is refused and changes nothing", "[errors]") {
    const RemoveFile at_end;
    Model model(4);
    const std::vector<double> before = model.source.weight.to_vector();
    const auto refuses = [&](const std::string& message) {
        CHECK_THROWS_WITH(load_model(model, model_file), message);
        CHECK(model.source.weight.to_vector() == before);
    };
    Model larger(8);
    save_model(larger, model_file);
    refuses(model_file + ": 'encoder.gru.weight_ih_l0': expected shape [12, 4], found [24, 4]");

    std::vector<Parameter> some = parameters(model);
    some[0].tensor = zeros(some[0].tensor.shape());
    some.pop_back();
    save_safetensors(model_file, {some, {}});
    refuses(model_file + ": lacks 'output.bias'");
    some = parameters(model);
    some.push_back({"extra", ones({1})});
    save_safetensors(model_file, {some, {}});
    refuses(model_file + ": has 'extra', which the model does not");
    some.back() = {"output.weight", ones({7, 4})};
    save_safetensors(model_file, {some, {}});
    refuses(model_file +
            ": 'source.weight' and 'output.weight' are one tied tensor in the model, but "
            "differ in the file");
    save_safetensors(model_file, {{{"a", ones({1})}}, {}});
    refuses(model_file +
            ": not a file of this model: it lacks 'source.weight', 'encoder.gru.weight_ih_l0', "
            "'encoder.gru.weight_hh_l0' and 4 more and has 'a' instead");
}
