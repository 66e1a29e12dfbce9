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
#include "autograd/base/settings.h"

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

// The sockets of all ranks, link i between rank i and the next one.
class Ring {
  public:
    explicit Ring(int size) : links_(size) {
        for (Link& link : links_) {
            int ends[2];
            if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
                fail("run_ranks: no socket: {}", std::strerror(errno));
            link = {ends[0], ends[1]};
        }
    }
    // The rank of this process. What the other ranks hold is closed here.
    SocketRanks keep(int rank) const {
        const int size = static_cast<int>(links_.size()), previous = (rank + size - 1) % size;
        for (int i = 0; i < size; ++i) {
            if (i != rank) close(links_[i].to_next);
            if (i != previous) close(links_[i].to_previous);
        }
        return SocketRanks(rank, size, links_[rank].to_next, links_[previous].to_previous);
    }

  private:
    struct Link {
        int to_next = -1, to_previous = -1;  // the ends that rank i and rank i + 1 hold
    };
    std::vector<Link> links_;
};

struct Child {
    pid_t process;
    int pipe;  // from which its report is read
};

// Starts the process of a rank; throws if there is none.
Child start_rank(int rank, const Ring& ring, const std::vector<Child>& others,
                 const std::function<void(Ranks&)>& body) {
    int pipe[2];
    if (pipe2(pipe, O_CLOEXEC) != 0) fail("run_ranks: no pipe: {}", std::strerror(errno));
    const pid_t process = fork();
    if (process == 0) {
        close(pipe[0]);
        for (const Child& other : others) close(other.pipe);
        const int nowhere = open("/dev/null", O_WRONLY);
        dup2(nowhere, STDOUT_FILENO);
        auto ranks = ring.keep(rank);
        be_rank(ranks, body, pipe[1]);
    }
    const int problem = errno;
    close(pipe[1]);
    if (process > 0) return {process, pipe[0]};
    close(pipe[0]);
    fail("run_ranks: no process: {}", std::strerror(problem));
}

// How rank 0, this process, ended: with an exception of its own, or because of another rank's.
struct OwnEnd {
    std::exception_ptr own, consequence;
    int64_t bytes_sent = 0;
};

// Leaving the function closes the sockets. Without a body the other ranks are told to end.
OwnEnd run_rank_0(const Ring& ring, const std::function<void(Ranks&)>* body) {
    OwnEnd end;
    auto ranks = ring.keep(0);
    try {
        if (body) (*body)(ranks);
    } catch (const NeighbourEnded&) {
        end.consequence = std::current_exception();
    } catch (...) {
        end.own = std::current_exception();
    }
    end.bytes_sent = ranks.bytes_sent();
    if (end.own || end.consequence || !body) ranks.abandon("");
    return end;
}

// How the other ranks ended: what went wrong in one of them, or else what followed from it.
struct OtherEnds {
    std::string own, consequence;
};

OtherEnds wait_for(const std::vector<Child>& children) {
    OtherEnds ends;
    for (std::size_t i = 0; i < children.size(); ++i) {
        const std::string message = read_all(children[i].pipe);
        close(children[i].pipe);
        int status = 0;
        while (waitpid(children[i].process, &status, 0) < 0 && errno == EINTR) {
        }
        const std::string name = fmt::format("rank {} of {}", i + 1, children.size() + 1);
        if (WIFSIGNALED(status))
            ends.own = fmt::format("{} was killed by signal {}", name, WTERMSIG(status));
        else if (message.starts_with('e'))
            ends.own = fmt::format("{}: {}", name, message.substr(1));
        else if (message.starts_with('n'))
            ends.consequence = message.substr(1);
        else if (WEXITSTATUS(status) != 0)
            ends.own = fmt::format("{} ended with status {}", name, WEXITSTATUS(status));
    }
    return ends;
}

}  // namespace

int64_t run_ranks(int size, const std::function<void(Ranks&)>& body) {
    check_positive("run_ranks", {{"size", size}});
    check(bool(body), "run_ranks: there is no function `body`");
    const OneThread one;
    if (size == 1) {
        SingleRank alone;
        body(alone);
        return 0;
    }

    const Ring ring(size);
    std::vector<Child> children;
    std::exception_ptr not_started;
    std::fflush(nullptr);
    try {
        for (int rank = 1; rank < size; ++rank)
            children.push_back(start_rank(rank, ring, children, body));
    } catch (const Error&) {
        not_started = std::current_exception();
    }
    const OwnEnd mine = run_rank_0(ring, not_started ? nullptr : &body);
    const OtherEnds others = wait_for(children);

    // Of several problems, that which was the cause of the others.
    if (not_started) std::rethrow_exception(not_started);
    if (mine.own) std::rethrow_exception(mine.own);
    if (!others.own.empty()) throw Error(others.own);
    if (!others.consequence.empty()) throw Error(others.consequence);
    if (mine.consequence) std::rethrow_exception(mine.consequence);
    return mine.bytes_sent;
}

}  // namespace heed
