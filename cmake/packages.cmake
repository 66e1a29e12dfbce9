# What heed uses from outside: the packages of the distribution. Where it has no fmt or no Catch2, CMake
# gets them.
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
    find_path(FFTW3_INCLUDE fftw3.h REQUIRED)  # not every package of it brings a CMake file
    find_library(FFTW3_LIBRARY fftw3 REQUIRED)
    find_path(MD4C_INCLUDE md4c.h REQUIRED)
    find_library(MD4C_LIBRARY md4c REQUIRED)
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
