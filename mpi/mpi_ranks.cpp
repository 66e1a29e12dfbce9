#include "mpi/mpi_ranks.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "autograd/base/error.h"
#include "autograd/base/parallel.h"

#ifdef HEED_MPI
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>
#endif

namespace heed {
namespace {

// How many processes mpirun has started, by what it leaves in the environment: Open MPI; MPICH and
// Intel MPI; Slurm's launcher does not count, because it starts other programs too. 0: none.
int launched_processes() {
    for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"})
        if (const char* text = std::getenv(name)) return std::atoi(text);
    return 0;
}

}  // namespace

#ifdef HEED_MPI

namespace {

void must(int result, const char* call) {
    if (result == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    MPI_Error_string(result, text, &length);
    fail("{}: {}", call, std::string(text, static_cast<std::size_t>(length)));
}

int rank_in_world() {
    int rank = 0;
    must(MPI_Comm_rank(MPI_COMM_WORLD, &rank), "MPI_Comm_rank");
    return rank;
}

int size_of_world() {
    int size = 1;
    must(MPI_Comm_size(MPI_COMM_WORLD, &size), "MPI_Comm_size");
    return size;
}

class MpiRanks final : public Ranks {
  public:
    MpiRanks() : Ranks(rank_in_world(), size_of_world()) {}

    // MPI_Finalize waits for all ranks. A rank that leaves because of an exception must not wait.
    ~MpiRanks() override {
        if (std::uncaught_exceptions() > exceptions_) MPI_Abort(MPI_COMM_WORLD, 1);
        MPI_Finalize();
    }

    void abandon(const std::string& message) override {
        std::fflush(stdout);
        fmt::print(stderr, "error: rank {} of {}: {}\n", rank(), size(), message);
        std::fflush(stderr);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }

  private:
    void pass_on(const void* out, std::size_t out_bytes, void* in, std::size_t in_bytes) override {
        const int next = (rank() + 1) % size(), previous = (rank() + size() - 1) % size();
        must(MPI_Sendrecv(out, static_cast<int>(out_bytes), MPI_BYTE,
                          out_bytes > 0 ? next : MPI_PROC_NULL, 0, in, static_cast<int>(in_bytes),
                          MPI_BYTE, in_bytes > 0 ? previous : MPI_PROC_NULL, 0, MPI_COMM_WORLD,
                          MPI_STATUS_IGNORE),
             "MPI_Sendrecv");
    }

    int exceptions_ = std::uncaught_exceptions();
};

// The share of one rank of the processors of its machine.
void share_processors() {
    if (std::getenv("OMP_NUM_THREADS")) return;
    MPI_Comm here;
    int count = 1;
    must(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here),
         "MPI_Comm_split_type");
    must(MPI_Comm_size(here, &count), "MPI_Comm_size");
    MPI_Comm_free(&here);
    set_threads(std::max(threads() / count, 1));
}

}  // namespace

bool built_with_mpi() { return true; }

std::unique_ptr<Ranks> launched_ranks() {
    if (launched_processes() == 0) return std::make_unique<SingleRank>();
    int given = 0;
    must(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &given), "MPI_Init_thread");
    must(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    auto ranks = std::make_unique<MpiRanks>();
    share_processors();
    if (ranks->rank() > 0 && !std::freopen("/dev/null", "w", stdout))
        fail("launched_ranks: /dev/null cannot be opened");
    return ranks;
}

#else

bool built_with_mpi() { return false; }

std::unique_ptr<Ranks> launched_ranks() {
    const int processes = launched_processes();
    if (processes > 1)
        fail(
            "launched_ranks: mpirun has started {} processes, but this program was built without "
            "MPI; install it (Debian and Ubuntu: apt install libopenmpi-dev openmpi-bin), remove "
            "the build folder and build again",
            processes);
    return std::make_unique<SingleRank>();
}

#endif

}  // namespace heed
