#include "nn/train/forked_ranks.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <utility>

#include "autograd/base/error.h"
#include "autograd/base/parallel.h"

namespace heed {
namespace {

// Thrown when a neighbour is gone: a consequence of what happened there.
struct NeighbourEnded : Error {
    using Error::Error;
};

class SocketRanks final : public Ranks {
  public:
    // `next` leads to the next rank, `previous` to the one before. Both belong to the object.
    SocketRanks(int rank, int size, int next, int previous)
        : Ranks(rank, size), next_(next), previous_(previous) {
        for (int socket : {next, previous}) fcntl(socket, F_SETFL, O_NONBLOCK);
    }
    ~SocketRanks() override { hang_up(); }

    void abandon(const std::string&) override { hang_up(); }

  private:
    // The neighbours read the end of the stream, and end as well.
    void hang_up() {
        for (int* socket : {&next_, &previous_})
            if (*socket >= 0) close(std::exchange(*socket, -1));
    }

    void pass_on(const void* out, std::size_t out_bytes, void* in, std::size_t in_bytes) override {
        const char* from = static_cast<const char*>(out);
        char* to = static_cast<char*>(in);
        while (out_bytes > 0 || in_bytes > 0) {
            pollfd ready[] = {{out_bytes > 0 ? next_ : -1, POLLOUT, 0},
                              {in_bytes > 0 ? previous_ : -1, POLLIN, 0}};
            check(next_ >= 0, "Ranks: this rank has ended");
            if (poll(ready, 2, -1) < 0) {
                if (errno == EINTR) continue;
                fail("Ranks: poll: {}", std::strerror(errno));
            }
            if (ready[0].revents)
                moved(send(next_, from, out_bytes, MSG_NOSIGNAL), 1, from, out_bytes);
            if (ready[1].revents) moved(recv(previous_, to, in_bytes, 0), -1, to, in_bytes);
        }
    }

    // After send() or recv() of `count` bytes: where to go on. `step` leads to the neighbour.
    template <class Byte>
    void moved(ssize_t count, int step, Byte*& at, std::size_t& left) {
        if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
        if (count <= 0)
            throw NeighbourEnded(fmt::format("rank {} of {}: rank {} has ended", rank(), size(),
                                             (rank() + size() + step) % size()));
        at += count, left -= static_cast<std::size_t>(count);
    }

    int next_, previous_;
};

// One thread for a rank, until the end of the scope.
struct OneThread {
    int before = threads();
    OneThread() { set_threads(1); }
    ~OneThread() { set_threads(before); }
};

// How a rank ended: 'e' for an error of its own, 'n' for one of a neighbour, and the message.
void report(int pipe, char kind, const std::string& message) {
    const std::string text = kind + message;
    for (std::size_t at = 0; at < text.size();) {
        const ssize_t written = write(pipe, text.data() + at, text.size() - at);
        if (written <= 0) return;
        at += static_cast<std::size_t>(written);
    }
}

std::string read_all(int pipe) {
    std::string text;
    char part[512];
    for (;;) {
        const ssize_t count = read(pipe, part, sizeof part);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return text;
        text.append(part, static_cast<std::size_t>(count));
    }
}

// The process of a rank other than 0.
[[noreturn]] void be_rank(Ranks& ranks, const std::function<void(Ranks&)>& body, int pipe) {
    int status = 1;
    try {
        body(ranks);
        status = 0;
    } catch (const NeighbourEnded& error) {
        report(pipe, 'n', error.what());
    } catch (const std::exception& error) {
        report(pipe, 'e', error.what());
    } catch (...) {
        report(pipe, 'e', "an exception of an unknown type");
    }
    _exit(status);
}

struct Link {
    int to_next, to_previous;  // the ends that rank i and rank i + 1 hold
};

struct Child {
    pid_t process;
    int pipe;
};

}  // namespace

int64_t run_ranks(int size, const std::function<void(Ranks&)>& body) {
    check(size > 0, "run_ranks: expected at least 1 rank, got {}", size);
    check(bool(body), "run_ranks: there is no function `body`");
    const OneThread one;
    if (size == 1) {
        SingleRank alone;
        body(alone);
        return 0;
    }
    std::vector<Link> links(size, {-1, -1});
    std::vector<Child> children;
    const auto close_all_but = [&](int rank) {  // what another rank holds must not be held here too
        for (int i = 0; i < size; ++i) {
            if (i != rank && links[i].to_next >= 0) close(links[i].to_next);
            if ((i + 1) % size != rank && links[i].to_previous >= 0) close(links[i].to_previous);
        }
    };
    const auto make = [&](int rank) {
        close_all_but(rank);
        return SocketRanks(rank, size, links[rank].to_next,
                           links[(rank + size - 1) % size].to_previous);
    };
    for (Link& link : links) {
        int ends[2];
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
            fail("run_ranks: no socket: {}", std::strerror(errno));
        link = {ends[0], ends[1]};
    }

    std::fflush(nullptr);
    std::string problem;
    for (int rank = 1; rank < size && problem.empty(); ++rank) {
        int pipe[2];
        if (pipe2(pipe, O_CLOEXEC) != 0) {
            problem = fmt::format("run_ranks: no pipe: {}", std::strerror(errno));
            break;
        }
        const pid_t process = fork();
        if (process == 0) {
            close(pipe[0]);
            for (const Child& other : children) close(other.pipe);
            const int nowhere = open("/dev/null", O_WRONLY);
            dup2(nowhere, STDOUT_FILENO);
            auto ranks = make(rank);
            be_rank(ranks, body, pipe[1]);
        }
        close(pipe[1]);
        if (process < 0) {
            close(pipe[0]);
            problem = fmt::format("run_ranks: no process: {}", std::strerror(errno));
        } else {
            children.push_back({process, pipe[0]});
        }
    }

    // Rank 0. Leaving the scope closes its sockets.
    int64_t sent = 0;
    std::exception_ptr own, consequence;
    {
        auto ranks = make(0);
        try {
            if (problem.empty()) body(ranks);
        } catch (const NeighbourEnded&) {
            consequence = std::current_exception();
        } catch (...) {
            own = std::current_exception();
        }
        sent = ranks.bytes_sent();
        if (own || consequence || !problem.empty()) ranks.abandon("");
    }

    // Wait for the others, and find out which of them was the first to end.
    std::string first, later;
    for (std::size_t i = 0; i < children.size(); ++i) {
        const std::string message = read_all(children[i].pipe);
        close(children[i].pipe);
        int status = 0;
        while (waitpid(children[i].process, &status, 0) < 0 && errno == EINTR) {
        }
        const std::string name = fmt::format("rank {} of {}", i + 1, size);
        if (WIFSIGNALED(status))
            first = fmt::format("{} was killed by signal {}", name, WTERMSIG(status));
        else if (message.starts_with('e'))
            first = fmt::format("{}: {}", name, message.substr(1));
        else if (message.starts_with('n'))
            later = message.substr(1);
        else if (WEXITSTATUS(status) != 0)
            first = fmt::format("{} ended with status {}", name, WEXITSTATUS(status));
    }
    if (!problem.empty()) throw Error(problem);
    if (own) std::rethrow_exception(own);
    if (!first.empty()) throw Error(first);
    if (!later.empty()) throw Error(later);
    if (consequence) std::rethrow_exception(consequence);
    return sent;
}

}  // namespace heed
