// One thread and two give the same bits, whatever the operation.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "autograd/base/processors.h"
#include "tests/autograd/elementwise_operations.h"
#include "tests/autograd/oracle.h"

namespace heed {
namespace {

// The results of f and its gradients, with the given number of threads.
template <class F>
std::vector<Tensor> with_threads(int count, F f, const std::vector<Tensor>& inputs) {
    const WithThreads setting(count);
    std::vector<Tensor> leaves;
    for (const Tensor& x : inputs) leaves.push_back(detach(x).set_requires_grad());
    std::vector<Tensor> results{f(leaves)};
    if (results[0].requires_grad())
        for (Tensor& g :
             grad(results[0], leaves, false, draw(results[0].shape(), results[0].dtype(), 9)))
            results.push_back(g);
    return results;
}

template <class F>
void require_same_bits(const std::string& name, F f, const std::vector<Tensor>& inputs) {
    const auto one = with_threads(1, f, inputs);
    const auto two = with_threads(2, f, inputs);
    REQUIRE(one.size() == two.size());
    for (std::size_t i = 0; i < one.size(); ++i) {
        INFO(name << ", " << (i == 0 ? "value" : "gradient"));
        CHECK(same_bits(one[i], two[i]));
    }
}

using Xs = std::vector<Tensor>;

// The variable of the environment, set for as long as this lives.
struct WithVariable {
    WithVariable(const char* name, const char* value) : name_(name) {
        if (const char* old = std::getenv(name)) old_ = old;
        setenv(name, value, 1);
    }
    ~WithVariable() { old_ ? setenv(name_, old_->c_str(), 1) : unsetenv(name_); }
    WithVariable(const WithVariable&) = delete;

  private:
    const char* name_;
    std::optional<std::string> old_;
};

TEST_CASE("as many threads as OMP_NUM_THREADS says, unless set_threads() says otherwise") {
    const WithThreads setting(threads());  // restores the number
    for (int count : {1, 3}) {
        const WithVariable variable("OMP_NUM_THREADS", std::to_string(count).c_str());
        set_threads(0);
        CHECK(threads() == count);
        set_threads(2);
        CHECK(threads() == 2);
    }
}

TEST_CASE("OMP_NUM_THREADS and the quota of a container are read as they are written") {
    CHECK(threads_asked_for("4") == 4);
    CHECK(threads_asked_for(" 4 , 2") == 4);  // for nested teams, which heed has not
    for (const char* wrong : {"", "0", "-1", "two", "4x", "4.5", "1025", "99999999999999999999"}) {
        INFO(wrong);
        CHECK_FALSE(threads_asked_for(wrong).has_value());
        const WithVariable variable("OMP_NUM_THREADS", wrong);
        CHECK(usable_processors() >= 1);
    }
    CHECK(processors_of_quota("200000 100000") == 2);
    CHECK(processors_of_quota("150000 100000") == 2);  // one processor and a half
    CHECK(processors_of_quota("50000 100000") == 1);
    CHECK(processors_of_quota("100000 100000") == 1);
    for (const char* none : {"max 100000", "", "200000", "0 100000", "200000 0"}) {
        INFO(none);
        CHECK_FALSE(processors_of_quota(none).has_value());
    }
}

TEST_CASE("caches and the name of the processor are read from the system", "[processors]") {
    CHECK(bytes_of_size("2048K") == 2048 << 10);
    CHECK(bytes_of_size("1M") == 1 << 20);
    CHECK(bytes_of_size("512") == 512);
    for (const char* none :
         {"", "K", "0K", "12G5", "-4K", "99999999999999999999K", "9000000000000000000"}) {
        INFO(none);
        CHECK_FALSE(bytes_of_size(none).has_value());
    }
    int64_t before = 0;
    for (int level : {1, 2, 3})
        if (const auto bytes = cache_bytes(level)) {
            CHECK(*bytes > before);
            before = *bytes;
        }
    CHECK_FALSE(cache_bytes(0).has_value());
    CHECK_FALSE(cache_bytes(9).has_value());
    CHECK_FALSE(processor_name().empty());
}

// How many threads this process has, where the operating system says so; otherwise 0.
int threads_of_process() {
    const std::filesystem::path tasks = "/proc/self/task";
    if (!std::filesystem::exists(tasks)) return 0;
    int count = 0;
    for ([[maybe_unused]] const auto& task : std::filesystem::directory_iterator(tasks)) ++count;
    return count;
}

TEST_CASE("parallel work: each index once, whatever the numbers of indices and threads") {
    for (const int workers : {1, 2, 3, 7, 32})
        for (const int64_t count : {0, 1, 2, 3, 31, 1000}) {
            const WithThreads setting(workers);
            std::vector<std::atomic<int>> visits(count);
            // Chunks of one index, many times, so that helpers come late, too.
            for (int repeat = 0; repeat < 100; ++repeat)
                parallel_for(count, 1, [&](int64_t begin, int64_t end) {
                    for (int64_t i = begin; i < end; ++i) ++visits[i];
                });
            INFO(workers << " threads, " << count << " indices");
            CHECK(
                std::all_of(visits.begin(), visits.end(), [](const auto& n) { return n == 100; }));
        }
}

TEST_CASE("parallel work: one thread starts no others") {
    const int before = threads_of_process();
    const WithThreads setting(1);
    for (int repeat = 0; repeat < 10; ++repeat) matmul(draw({256, 256}), draw({256, 256}));
    CHECK(threads_of_process() <= before);
}

TEST_CASE("parallel work: within a chunk the thread works alone") {
    const WithThreads setting(4);
    std::atomic<int> wrong = 0, inner = 0;
    parallel_for(16, 1, [&](int64_t, int64_t) {
        const auto self = std::this_thread::get_id();
        parallel_for(8, 1, [&](int64_t, int64_t) {
            ++inner;
            if (std::this_thread::get_id() != self) ++wrong;
        });
    });
    CHECK(inner == 16 * 8);
    CHECK(wrong == 0);
}

TEST_CASE("parallel work: several threads of a program use it at the same time") {
    const WithThreads setting(2);
    std::atomic<int64_t> total = 0;
    std::vector<std::thread> users;
    for (int user = 0; user < 4; ++user)
        users.emplace_back([&] {
            for (int repeat = 0; repeat < 200; ++repeat)
                parallel_for(64, 1, [&](int64_t begin, int64_t) { total += begin; });
        });
    for (std::thread& user : users) user.join();
    CHECK(total == 4 * 200 * (63 * 64 / 2));
}

TEST_CASE("parallel work goes on in a process that was forked") {
    const WithThreads setting(4);
    const auto sum_of_indices = [] {
        std::atomic<int64_t> total = 0;
        parallel_for(1000, 1, [&](int64_t begin, int64_t) { total += begin; });
        return total.load();
    };
    REQUIRE(sum_of_indices() == 499500);  // the helpers have been started; the child has none
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) _exit(sum_of_indices() == 499500 ? 0 : 1);
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(status == 0);
}

#ifdef __linux__
TEST_CASE("parallel work: helpers are as nice to other programs as the thread that started them") {
    // More helpers than any other test has started, by a thread that has lowered its own priority.
    const WithThreads setting(64);
    std::atomic<int> as_nice = 0;
    bool lowered = false;
    std::thread([&] {
        lowered = setpriority(PRIO_PROCESS, 0, 7) == 0;  // on Linux, of this thread
        const auto self = std::this_thread::get_id();
        // On a busy machine it may take a while until a helper gets its turn.
        for (int tries = 0; tries < 100 && as_nice == 0; ++tries)
            parallel_for(64, 1, [&](int64_t, int64_t) {
                std::this_thread::sleep_for(std::chrono::milliseconds(2));
                if (std::this_thread::get_id() != self && getpriority(PRIO_PROCESS, 0) == 7)
                    ++as_nice;
            });
    }).join();
    REQUIRE(lowered);
    CHECK(as_nice > 0);
}
#endif

TEST_CASE("the same bits with any number of threads: elementwise") {
    for (Dtype dtype : both_dtypes)
        for (const ListedOperation& op : elementwise_operations()) {
            const auto apply = [&](const Xs& x) { return op.apply(x); };
            const auto numbers = [&](const Shape& shape, uint64_t seed) {
                return draw(shape, dtype, seed, op.interval.low, op.interval.high);
            };
            const Tensor x = numbers({151, 257}, 1);
            if (op.inputs == 1) {
                require_same_bits(op.name, apply, {x});
                require_same_bits(op.name, apply, {transpose(x)});
            } else {
                require_same_bits(op.name, apply, {x, numbers({151, 257}, 2)});
                require_same_bits(op.name, apply, {x, numbers({257}, 2)});
                require_same_bits(op.name, apply, {x, numbers({151, 1}, 2)});
            }
        }
}

TEST_CASE("the same bits with any number of threads: reductions") {
    for (Dtype dtype : both_dtypes) {
        const Tensor x = draw({36, 31, 65}, dtype);
        for (const Tensor& view : {x, transpose(x, 0, 2)})
            for (const AxesOrAll& axes :
                 {AxesOrAll{}, AxesOrAll{0}, AxesOrAll{2}, AxesOrAll{0, 2}}) {
                const auto same = [&](const char* name, auto f) {
                    require_same_bits(name, [&](const Xs& in) { return f(in[0], axes); }, {view});
                };
                same("sum", [](auto&... a) { return sum(a...); });
                same("mean", [](auto&... a) { return mean(a...); });
                same("var", [](auto&... a) { return var(a...); });
                same("max", [](auto&... a) { return max(a...); });
                same("min", [](auto&... a) { return min(a...); });
                same("logsumexp", [](auto&... a) { return logsumexp(a...); });
            }
    }
}

TEST_CASE("the same bits with any number of threads: products") {
    for (Dtype dtype : both_dtypes) {
        const auto product = [](const Xs& x) { return matmul(x[0], x[1]); };
        require_same_bits("matmul", product, {draw({300, 200}, dtype), draw({200, 250}, dtype, 2)});
        require_same_bits("matmul", product,
                          {draw({40, 50, 30}, dtype), draw({40, 30, 60}, dtype, 2)});
        require_same_bits("matmul", product, {draw({40, 50, 30}, dtype), draw({30, 60}, dtype, 2)});
        require_same_bits("matmul", product, {draw({1, 900}, dtype), draw({900, 1100}, dtype, 2)});
        require_same_bits("matmul of transposed views",
                          [](const Xs& x) { return matmul(transpose(x[0]), transpose(x[1])); },
                          {draw({200, 300}, dtype), draw({250, 200}, dtype, 2)});
        require_same_bits(
            "linear", [](const Xs& x) { return linear(x[0], x[1], x[2]); },
            {draw({20, 37, 150}, dtype), draw({170, 150}, dtype, 2), draw({170}, dtype, 3)});
    }
}

TEST_CASE("the same bits with any number of threads: fused kernels, indexing, views") {
    for (Dtype dtype : both_dtypes) {
        const Tensor x = draw({40, 30, 65}, dtype);
        const auto same = [&](const char* name, auto f) {
            require_same_bits(name, [&](const Xs& in) { return f(in[0]); }, {x});
        };
        const Tensor mask = draw({40, 30, 65}, dtype, 4) > 0;
        for (int axis : {0, 1, 2}) {
            same("softmax", [=](const Tensor& in) { return softmax(in, axis); });
            same("log_softmax", [=](const Tensor& in) { return log_softmax(in, axis); });
            same("masked_softmax",
                 [=](const Tensor& in) { return masked_softmax(in, mask, axis); });
        }
        std::vector<int> labels, rows;
        for (int i = 0; i < 1200; ++i) labels.push_back(i * 7 % 65);
        for (int i = 0; i < 1500; ++i) rows.push_back(i * i % 40);
        for (Reduction reduction : {Reduction::mean, Reduction::sum, Reduction::none})
            same("cross_entropy", [&](const Tensor& in) {
                return cross_entropy(in, Indices(labels, {40, 30}),
                                     {.smoothing = 0.1, .reduction = reduction});
            });
        require_same_bits("layer_norm",
                          [](const Xs& in) { return layer_norm(in[0], in[1], in[2]); },
                          {x, draw({65}, dtype, 2), draw({65}, dtype, 3)});
        same("embedding", [&](const Tensor& in) {
            return embedding(reshape(in, {40, 30 * 65}), Indices(rows));
        });
        same("index_select", [&](const Tensor& in) { return index_select(in, 0, Indices(rows)); });
        std::vector<int> segment_of;
        for (int i = 0; i < 1200; ++i) segment_of.push_back(i * i / 48000);  // of 0 to 219 rows
        const Segments segments(segment_of, 30);
        const auto rows_of = [](const Tensor& in) { return reshape(in, {1200, 65}); };
        same("segment_sum", [&](const Tensor& in) { return segment_sum(rows_of(in), segments); });
        same("segment_max", [&](const Tensor& in) { return segment_max(rows_of(in), segments); });
        same("segment_softmax",
             [&](const Tensor& in) { return segment_softmax(rows_of(in), segments); });
        same("gather", [&](const Tensor& in) {
            return gather(in, 2, Indices(std::vector<int>(1200, 3), {40, 30, 1}));
        });
        same("concat", [](const Tensor& in) { return concat({in, in * 2, in}, 1); });
        same("slices", [](const Tensor& in) {
            return slice(in, 2, 0, 64) * slice(in, 2, 1, 65) + select(in, 2, 0).shape().numel();
        });
        same("reshape", [](const Tensor& in) { return reshape(transpose(in), {-1}); });
        same("pad", [](const Tensor& in) { return pad(in, 1, 2, 3); });
        same("where", [&](const Tensor& in) { return where(mask, in, square(in)); });
    }
}

TEST_CASE("random numbers do not depend on threads") {
    const auto numbers = [](int count) {
        const WithThreads setting(count);
        Rng rng(5);
        return std::vector{normal({300, 300}, 0, 1, rng), uniform({300, 300}, -1, 1, rng),
                           bernoulli({300, 300}, 0.3, rng)};
    };
    const auto one = numbers(1), two = numbers(2);
    for (std::size_t i = 0; i < one.size(); ++i) CHECK(same_bits(one[i], two[i]));
}

TEST_CASE("the number of threads can be set and read", "[errors]") {
    for (const int count : {1, 3, 7}) {  // some of them are not the number of processors
        const WithThreads setting(count);
        CHECK(threads() == count);
    }
    const WithThreads setting(2);
    for (const int wrong : {-1, 1025})
        CHECK_THROWS_WITH(
            set_threads(wrong),
            fmt::format("set_threads: expected 0 (one per processor) to 1024, got {}", wrong));
    set_threads(0);
    CHECK(threads() >= 1);
}

}  // namespace
}  // namespace heed
