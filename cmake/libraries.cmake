# The three libraries and mpi: a folder NAME with its sources becomes heed_NAME, for others heed::NAME.
function(heed_library name)  # ARGN: the libraries below it
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cpp)
    add_library(heed_${name} STATIC ${sources})
    add_library(heed::${name} ALIAS heed_${name})
    set_target_properties(heed_${name} PROPERTIES EXPORT_NAME ${name})
    target_compile_features(heed_${name} PUBLIC cxx_std_20)
    target_include_directories(heed_${name} PUBLIC
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:include/heed>)
    target_link_libraries(heed_${name}
        PUBLIC ${ARGN} fmt::fmt PRIVATE $<BUILD_INTERFACE:heed_flags> Threads::Threads)
    # Half of the time of a small file is reading these.
    if(name STREQUAL autograd)
        target_precompile_headers(heed_autograd PRIVATE <algorithm> <array> <cmath> <cstdint>
            <functional> <map> <memory> <numeric> <optional> <string> <string_view> <unordered_map>
            <utility> <vector> <fmt/format.h>)
    elseif(NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
        target_precompile_headers(heed_${name} REUSE_FROM heed_autograd)
    endif()
endfunction()
