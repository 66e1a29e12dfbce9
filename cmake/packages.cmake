# What heed uses from outside: the packages of the distribution. Where it has no fmt, Catch2 or
# KISS FFT, CMake gets them.
include(FetchContent)
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
find_package(fmt QUIET)
if(NOT fmt_FOUND AND HEED_FETCH)
    set(FMT_INSTALL ON)  # so that what is installed finds it
    FetchContent_Declare(fmt
        URL https://github.com/fmtlib/fmt/archive/refs/tags/10.2.1.tar.gz
        URL_HASH SHA256=1250e4cc58bf06ee631567523f48848dc4596133e163f02615c97f78bab6c811)
    FetchContent_MakeAvailable(fmt)
endif()
find_package(nlohmann_json REQUIRED)
find_package(MPI QUIET COMPONENTS CXX)  # for heed::mpi; without it that trains in one process
if(HEED_PROGRAMS)
    find_package(CLI11 REQUIRED)
    find_package(ZLIB REQUIRED)
    find_package(Threads REQUIRED)
    # Not every package of these brings a CMake file.
    find_path(MD4C_INCLUDE md4c.h REQUIRED)
    find_library(MD4C_LIBRARY md4c REQUIRED)
    find_path(UTF8PROC_INCLUDE utf8proc.h REQUIRED)
    find_library(UTF8PROC_LIBRARY utf8proc REQUIRED)
    find_path(SNDFILE_INCLUDE sndfile.hh REQUIRED)
    find_library(SNDFILE_LIBRARY sndfile REQUIRED)
    find_path(KISSFFT_INCLUDE kissfft/kissfft.hh)
    if(NOT KISSFFT_INCLUDE AND HEED_FETCH)  # Arch and Homebrew have no package of it
        FetchContent_Declare(kissfft
            GIT_REPOSITORY https://github.com/mborgerding/kissfft
            GIT_TAG 8f47a67f595a6641c566087bf5277034be64f24d  # 131.1.0
            SOURCE_DIR ${PROJECT_BINARY_DIR}/_deps/include/kissfft
            SOURCE_SUBDIR none)  # one header is used, nothing is built
        FetchContent_MakeAvailable(kissfft)
    endif()
    find_path(KISSFFT_INCLUDE kissfft/kissfft.hh PATHS ${PROJECT_BINARY_DIR}/_deps/include REQUIRED)
    find_package(benchmark QUIET)
    find_package(Catch2 3 QUIET)
    if(NOT Catch2_FOUND)
        find_package(Catch2 2 QUIET)
    endif()
    if(NOT Catch2_FOUND AND HEED_FETCH)
        FetchContent_Declare(Catch2
            URL https://github.com/catchorg/Catch2/archive/refs/tags/v3.5.4.tar.gz
            URL_HASH SHA256=b7754b711242c167d8f60b890695347f90a1ebc95949a045385114165d606dbb)
        FetchContent_MakeAvailable(Catch2)
    endif()
endif()
