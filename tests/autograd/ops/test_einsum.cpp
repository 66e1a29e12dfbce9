// einsum() against its definition: one sum over the broadcast product of all operands.
#include "tests/autograd/oracle.h"

namespace heed {
namespace {

struct Sum {
    const char* formula;
    std::vector<Shape> shapes;
    Shape result;
};

const Sum sums[] = {
    {"ij,jk->ik", {{3, 4}, {4, 5}}, {3, 5}},
    {"ij,jk->ki", {{3, 4}, {4, 5}}, {5, 3}},
    {"ij,kj", {{3, 4}, {5, 4}}, {3, 5}},
    {"bqd,bkd->bqk", {{2, 3, 4}, {2, 5, 4}}, {2, 3, 5}},
    {"bhqd, bhkd -> bhqk", {{2, 3, 4, 5}, {2, 3, 6, 5}}, {2, 3, 4, 6}},
    {"bqhd,bkhd->bhqk", {{2, 4, 3, 5}, {2, 6, 3, 5}}, {2, 3, 4, 6}},
    {"i,i->", {{4}, {4}}, {}},
    {"i,j->ij", {{4}, {3}}, {4, 3}},
    {"i,i->i", {{4}, {4}}, {4}},
    {"ii->i", {{4, 4}}, {4}},
    {"ii->", {{4, 4}}, {}},
    {"ijij->ji", {{2, 3, 2, 3}}, {3, 2}},
    {"iii->i", {{3, 3, 3}}, {3}},
    {"ij->ji", {{3, 4}}, {4, 3}},
    {"ba", {{3, 4}}, {4, 3}},  // the result's axes in alphabetical order
    {"ij->j", {{3, 4}}, {4}},
    {"ij->", {{3, 4}}, {}},
    {"ij,k->", {{3, 4}, {5}}, {}},
    {"ij,ij->", {{3, 4}, {3, 4}}, {}},
    {"ijk,jk->ik", {{2, 3, 4}, {3, 4}}, {2, 4}},
    {"ii,ij->j", {{3, 3}, {3, 4}}, {4}},
    {"ij,jk,kl->il", {{2, 3}, {3, 4}, {4, 5}}, {2, 5}},
    {"b,bi,bij->bj", {{2}, {2, 3}, {2, 3, 4}}, {2, 4}},
    {"ij,ik,i->jk", {{2, 3}, {2, 4}, {2}}, {3, 4}},
    {"ij,,j->i", {{2, 3}, {}, {3}}, {2}},
    {"Aa,aB->AB", {{2, 3}, {3, 4}}, {2, 4}},
    {"ij,jk->ik", {{3, 0}, {0, 5}}, {3, 5}},
    {"ij,jk->ik", {{0, 4}, {4, 5}}, {0, 5}},
};

TEST_CASE("einsum equals its definition: values and gradients, in every layout") {
    for (const Sum& one : sums)
        for (Dtype dtype : both_dtypes) {
            std::vector<std::vector<NamedLayout>> layouts;
            for (std::size_t i = 0; i < one.shapes.size(); ++i)
                layouts.push_back(layouts_of(draw(one.shapes[i], dtype, i + 1)));
            for (std::size_t k = 0; k < layouts[0].size(); ++k) {
                INFO(one.formula << ", " << layouts[0][k].name);
                std::vector<Tensor> xs, leaves;
                for (const auto& of_one : layouts)
                    xs.push_back(of_one[std::min(k, of_one.size() - 1)].x);
                for (const Tensor& x : xs) leaves.push_back(detach(x).set_requires_grad());
                const Tensor y = einsum(one.formula, leaves);
                const Tensor expected = einsum_definition(one.formula, leaves);
                REQUIRE(to_string(y.shape()) == to_string(one.result));
                require_close(y, expected, 10 * rounding(dtype));
                const Tensor c = draw(y.shape(), dtype, 99);
                const auto found = grad(y, leaves, false, c),
                           plain = grad(expected, leaves, false, c);
                for (std::size_t i = 0; i < leaves.size(); ++i)
                    require_close(found[i], plain[i], 10 * rounding(dtype));
            }
        }
}

TEST_CASE("einsum is what its formula says") {
    const Tensor a = draw({3, 4}), b = draw({4, 5}, Dtype::float64, 2);
    require_close(einsum("ij,jk->ik", {a, b}), matmul(a, b), 1e-14);
    require_close(einsum("ij->ji", {a}), transpose(a), 0);
    require_close(einsum("ij->i", {a}), sum(a, 1), 1e-14);
    require_close(dot(a[0], a[1]), einsum("i,i->", {a[0], a[1]}), 1e-14);
    require_close(outer(a[0], b[0]), einsum("i,j->ij", {a[0], b[0]}), 1e-14);
}

}  // namespace
}  // namespace heed
