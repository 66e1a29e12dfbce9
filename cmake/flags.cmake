# What every file of heed is compiled with: the target heed_flags. Nothing of it is exported: a program
# that uses heed may be compiled for other instructions (autograd/kernels/vec.h).
add_library(heed_flags INTERFACE)

# Products may fuse into additions, and nobody reads errno or floating point traps after a kernel:
# that is all the licence the compiler gets. Not -ffast-math: NaN, infinity and the order of sums
# count.
target_compile_options(heed_flags INTERFACE
    -Wall -Wextra -Wshadow -ffp-contract=fast -fno-math-errno -fno-trapping-math)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC 12 sees one in "a" + std::string (GCC bug 105651).
    target_compile_options(heed_flags INTERFACE -Wno-restrict)
endif()

set(processor)
if(EMSCRIPTEN)
    set(processor -msimd128 -fexceptions)
elseif(HEED_NATIVE)
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(arm|aarch64)")
        set(processor -mcpu=native)
    else()
        set(processor -march=native)
        # With AVX-512 GCC before 12.3 stores {1, 1, 0, 0} as {1, 1, 1, 1} (GCC bug 108599): it takes
        # a wide constant whose upper half is 0 for a repeated one. Moves of 128 bits have no halves.
        if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12
           AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12.3)
            list(APPEND processor -mmove-max=128 -mstore-max=128)
        endif()
    endif()
endif()
target_compile_options(heed_flags INTERFACE ${processor})

if(HEED_DEBUG)
    target_compile_options(heed_flags INTERFACE -DHEED_DEBUG=1 -D_GLIBCXX_ASSERTIONS)
endif()
if(HEED_ODR)  # the one-definition rule, which only the linker can check: GCC
    target_compile_options(heed_flags INTERFACE -O0 -flto)
    target_link_options(heed_flags INTERFACE
        -O0 -flto=auto -Wodr -Wlto-type-mismatch -Werror=odr -Werror=lto-type-mismatch)
endif()
if(HEED_SANITIZE OR HEED_FUZZ)
    set(sanitize -fsanitize=address,undefined -fno-sanitize-recover=undefined)
    target_compile_options(heed_flags INTERFACE ${sanitize})
    target_link_options(heed_flags INTERFACE ${sanitize})
endif()
if(HEED_SANITIZE)
    target_compile_options(heed_flags INTERFACE -g1)  # lines for the reports, no more
    if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
        # false beside sanitizers, says its manual
        target_compile_options(heed_flags INTERFACE -Wno-maybe-uninitialized)
    endif()
endif()
if(HEED_FUZZ)  # every branch is counted, so that libFuzzer sees which inputs reach a new one
    target_compile_options(heed_flags INTERFACE -fsanitize=fuzzer-no-link -O1)
endif()

# For what leaves its work to the libraries, and for the tests.
set(light $<$<CONFIG:Release>:-O1>)  # a third less time to build
set(unoptimised -O0)  # a fourth less time once more
if(HEED_SANITIZE)
    # Optimising takes half of the time beside sanitizers, and so do these four checks, of every pointer that
    # is used. The three libraries have them; the lessons and the tests have the others.
    list(APPEND unoptimised -fno-sanitize=null,alignment,vptr,object-size)
    set(light ${unoptimised})
endif()
