# The three libraries and mpi: a folder NAME with its sources becomes heed_NAME, for others heed::NAME.
# Others include <heed/nn/nn.h>: below the build folder, a link of that name leads to the sources.
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/include)
file(CREATE_LINK ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/include/heed SYMBOLIC)
function(heed_library name)  # ARGN: the libraries below it
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cpp)
    list(FILTER sources EXCLUDE REGEX "/autograd/base/")  # heed_base
    add_library(heed_${name} ${sources})  # static, or shared with BUILD_SHARED_LIBS
    add_library(heed::${name} ALIAS heed_${name})
    set_target_properties(heed_${name} PROPERTIES EXPORT_NAME ${name})
    target_compile_features(heed_${name} PUBLIC cxx_std_20)
    target_include_directories(heed_${name} PUBLIC
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
        $<INSTALL_INTERFACE:include> $<INSTALL_INTERFACE:include/heed>)
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
