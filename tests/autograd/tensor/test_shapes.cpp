#include "autograd/ops/product/matmul.h"
#include "autograd/tensor/shapes.h"
#include "tests/catch.h"
#include "tests/error_of.h"

namespace {

using namespace heed;

const Tensor none;
const Tensor x234 = zeros({2, 3, 4}), x254 = zeros({2, 5, 4}), x34 = zeros({3, 4});

TEST_CASE("Shapes knows the size of each name", "[shapes]") {
    const Shapes in("f", {{"q", x234, "B Q D"}, {"k", x254, "B K D"}});
    CHECK(in["B"] == 2);
    CHECK(in["Q"] == 3);
    CHECK(in["K"] == 5);
    CHECK(in["D"] == 4);
    CHECK(in.has("D"));
    CHECK(!in.has("T"));
}

TEST_CASE("Shapes names the axis that differs, both tensors, and what was expected", "[shapes]") {
    CHECK(error_of([] {
              const Shapes in("f", {{"q", x234, "B Q D"}, {"k", zeros({2, 5, 6}), "B K D"}});
          }) ==
          "f: D is 4 in q [2, 3, 4] and 6 in k [2, 5, 6]; expected q [B, Q, D] and "
          "k [B, K, D]");
    CHECK(error_of([] {
              const Shapes in(
                  "f",
                  {{"q", x234, "B Q D"}, {"k", x254, "B K D"}, {"v", zeros({1, 5, 4}), "B K V"}});
          }) ==
          "f: B is 2 in q [2, 3, 4] and 1 in v [1, 5, 4]; expected q [B, Q, D], k [B, K, D] "
          "and v [B, K, V]");
    CHECK(error_of([] {
              const Shapes in("f", {{"x", zeros({2, 3}), "N N"}}, {},
                              "row i and column i are a pair");
          }) == "f: x is [2, 3]; expected x [N, N]; row i and column i are a pair");
}

TEST_CASE("Shapes refuses other ranks and missing tensors", "[shapes]") {
    CHECK(error_of([] {
              const Shapes in("f", {{"x", x34, "B T D"}});
          }) == "f: x is [3, 4]; expected x [B, T, D]");
    CHECK(error_of([] {
              const Shapes in("f", {{"x", x234, "T D"}});
          }) == "f: x is [2, 3, 4]; expected x [T, D]");
    CHECK(error_of([] {
              const Shapes in("f", {{"x", none, "B T D"}});
          }) == "f: x is not defined; Tensor() holds no numbers");
    CHECK(error_of([] {
              const Shapes in("f", {{"x", x34, "T D"}, {"y", none, "T D"}});
          }) == "f: y is not defined; Tensor() holds no numbers");
}

TEST_CASE("Shapes refuses mixed dtypes", "[shapes]") {
    const Tensor wide = zeros({3, 4}, Dtype::float64);
    const std::string error = error_of([&] {
        const Shapes in("f", {{"x", x34, "T D"}, {"y", wide, "T D"}});
    });
    CHECK_THAT(error, Catch::Matchers::StartsWith("f: "));
    CHECK_THAT(error, Catch::Matchers::ContainsSubstring("float32"));
    CHECK_THAT(error, Catch::Matchers::ContainsSubstring("float64"));
}

TEST_CASE("A size that is known replaces its name; a digit stands for itself", "[shapes]") {
    const Shapes in("f", {{"x", x34, "... In"}}, {{"In", 4}});
    CHECK(in["In"] == 4);
    CHECK(error_of([] {
              const Shapes wrong("f", {{"x", x34, "... In"}}, {{"In", 5}}, "made for this width");
          }) == "f: x is [3, 4]; expected x [..., 5]; made for this width");
    CHECK_NOTHROW(Shapes("f", {{"at", zeros({3, 2}), "B 2"}}));
    CHECK(error_of([] {
              const Shapes wrong("f", {{"x", x34, "B T"}, {"at", x34, "B 2"}});
          }) == "f: at is [3, 4]; expected x [B, T] and at [B, 2]");
    CHECK(error_of([] {
              const Shapes wrong("f", {{"mask", x234, "B 1 K"}});
          }) == "f: mask is [2, 3, 4]; expected mask [B, 1, K]");
}

TEST_CASE("\"...\" stands for any axes, the same everywhere", "[shapes]") {
    const Shapes in("f", {{"x", x234, "... D"}, {"y", zeros({2, 3, 7}), "... E"}});
    CHECK(in.any() == Shape{2, 3});
    CHECK(in["E"] == 7);
    CHECK(Shapes("f", {{"x", x34, "... T D"}}).any() == Shape{});
    CHECK(Shapes("f", {{"x", x234, "S ..."}}).any() == Shape{3, 4});
    const Shapes middle("f",
                        {{"x", zeros({2, 5, 3, 4}), "B ... T D"}, {"at", zeros({2, 3}), "B T"}});
    CHECK(middle.any() == Shape{5});
    CHECK(middle["T"] == 3);
    CHECK(error_of([] {
              const Shapes wrong("f", {{"x", scalar(1), "... D"}});
          }) == "f: x is []; expected x [..., D]");
    CHECK(error_of([] {
              const Shapes wrong("f", {{"x", x234, "... D"}, {"y", x34, "... D"}});
          }) ==
          "f: \"...\" is [2, 3] in x [2, 3, 4] and [3] in y [3, 4]; expected x [..., D] and "
          "y [..., D]");
    CHECK(error_of([] {
              const Shapes wrong("f", {{"x", x234, "S ..."}, {"y", x254, "S ..."}});
          }) ==
          "f: \"...\" is [3, 4] in x [2, 3, 4] and [5, 4] in y [2, 5, 4]; expected x [S, ...] "
          "and y [S, ...]");
}

TEST_CASE("\"?\" marks a tensor that may be missing", "[shapes]") {
    CHECK(Shapes("f", {{"x", x34, "T D"}, {"bias", none, "? D"}})["D"] == 4);
    CHECK_NOTHROW(Shapes("f", {{"x", x34, "T D"}, {"bias", zeros({4}), "? D"}}));
    CHECK(error_of([] {
              const Shapes wrong("f", {{"x", x34, "T D"}, {"bias", zeros({3}), "? D"}});
          }) == "f: D is 4 in x [3, 4] and 3 in bias [3]; expected x [T, D] and bias [D]");
    // What is missing is not expected.
    CHECK(error_of([] {
              const Shapes wrong("f", {{"x", x234, "T D"}, {"bias", none, "? D"}});
          }) == "f: x is [2, 3, 4]; expected x [T, D]");
}

TEST_CASE("\"?T\" marks an axis that may be missing", "[shapes]") {
    const Tensor loss = zeros({2, 3});
    const auto of = [&](const Tensor& log_prob) {
        return Shapes("f", {{"loss", loss, "..."}, {"log_prob", log_prob, "... ?T"}}).has("T");
    };
    CHECK(of(x234));
    CHECK(!of(zeros({2, 3})));
    CHECK(error_of([&] { of(zeros({2})); }) ==
          "f: \"...\" is [2, 3] in loss [2, 3] and [2] in log_prob [2]; expected loss [...] and "
          "log_prob [...] or [..., T]");
    CHECK(
        error_of([&] {
            of(zeros({3, 3, 4}));
        }) ==
        "f: \"...\" is [2, 3] in loss [2, 3] and [3, 3] in log_prob [3, 3, 4]; expected loss [...] "
        "and log_prob [...] or [..., T]");
    const Shapes grey("f", {{"image", x234, "B ?C Y X"}});
    CHECK(!grey.has("C"));
    CHECK(grey["Y"] == 3);
    const Shapes colour("f", {{"image", zeros({2, 6, 3, 4}), "B ?C Y X"}});
    CHECK(colour["C"] == 6);
    CHECK(colour["Y"] == 3);
    CHECK(error_of([] {
              const Shapes wrong("f", {{"image", x34, "B ?C Y X"}});
          }) == "f: image is [3, 4]; expected image [B, Y, X] or [B, C, Y, X]");
    CHECK_NOTHROW(Shapes("f", {{"mask", x34, "?1 Q K"}}));
    CHECK_NOTHROW(Shapes("f", {{"mask", zeros({1, 3, 4}), "?1 Q K"}}));
    CHECK_THROWS(Shapes("f", {{"mask", x234, "?1 Q K"}}));
}

TEST_CASE("Indices are listed like tensors, and are missing if empty", "[shapes]") {
    const Indices ids({1, 2, 3, 4, 5, 6}, {2, 3}), lengths({2, 3});
    CHECK(Shapes("f", {{"ids", ids, "B K"}, {"lengths", lengths, "? B"}})["K"] == 3);
    CHECK_NOTHROW(Shapes("f", {{"ids", ids, "B K"}, {"lengths", Indices(), "? B"}}));
    CHECK_NOTHROW(Shapes("f", {{"ids", Indices({}, {2, 0}), "B K"}}));
    CHECK(error_of([&] {
              const Shapes wrong("f", {{"ids", ids, "B K"}, {"lengths", Indices({1}), "? B"}});
          }) ==
          "f: B is 2 in ids [2, 3] and 1 in lengths [1]; expected ids [B, K] and lengths [B]");
    CHECK(error_of([&] {
              const Shapes wrong("f", {{"ids", lengths, "B K"}});
          }) == "f: ids is [2]; expected ids [B, K]");
    CHECK(
        error_of([&] {
            const Shapes wrong("f", {{"x", x234, "B K D"}, {"at", ids, "B ?Q"}, {"y", x34, "Q D"}});
        }) == "no error");
}

TEST_CASE("While a Shapes lives, errors begin with the name of the outermost", "[shapes]") {
    const auto inner = [] {
        const Shapes in("inner", {{"x", x234, "B T D"}});
        matmul(x234, x34);
    };
    const auto outer = [&] {
        const Shapes in("outer", {{"x", x234, "B T D"}});
        inner();
    };
    CHECK_THAT(error_of(inner), Catch::Matchers::StartsWith("inner: matmul: "));
    CHECK_THAT(error_of(outer), Catch::Matchers::StartsWith("outer: matmul: "));
    CHECK_THAT(error_of([] { matmul(x234, x34); }), Catch::Matchers::StartsWith("matmul: "));
    CHECK(error_of([] {
              const Shapes in("outer", {{"x", x234, "B T D"}});
              const Shapes wrong("inner", {{"y", x34, "B T D"}});
          }) == "outer: inner: y is [3, 4]; expected y [B, T, D]");
}

}  // namespace
