# For another machine than this one (HEED_CORE, and the preset web): the three libraries and the core of the
# tests, without packages for that machine. The headers of fmt, nlohmann-json and Catch2 are those of this
# system. Compilers for another machine must not see the folder they are in, which holds the system's own
# headers too; so links to these three are put into a folder.
set(core_headers ${PROJECT_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${core_headers})
foreach(header fmt/format.h nlohmann/json.hpp catch2)
    get_filename_component(folder ${header} DIRECTORY)
    if(NOT folder)
        set(folder ${header})
    endif()
    find_path(${folder}_INCLUDE NAMES ${header} PATHS /usr/include /usr/local/include /opt/homebrew/include
        NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH REQUIRED)
    file(CREATE_LINK ${${folder}_INCLUDE}/${folder} ${core_headers}/${folder} SYMBOLIC)
endforeach()
add_library(core_fmt INTERFACE)
target_include_directories(core_fmt SYSTEM INTERFACE ${core_headers})
target_compile_definitions(core_fmt INTERFACE FMT_HEADER_ONLY)
add_library(fmt::fmt ALIAS core_fmt)
add_library(core_json INTERFACE)
add_library(nlohmann_json::nlohmann_json ALIAS core_json)
if(EMSCRIPTEN)
    add_library(core_threads INTERFACE)
    add_library(Threads::Threads ALIAS core_threads)
else()
    find_package(Threads REQUIRED)
endif()

# The core of the tests: operations, gradient check, laws. The other tests need threads, other programs,
# or what reads files. test_accuracy needs a long double whose functions are more exact than those of
# double; in WebAssembly they are the same ones.
function(heed_core_tests target)
    set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
    set(tests tests/main.cpp)
    foreach(room autograd/backward autograd/check autograd/kernels autograd/ops autograd/record
            autograd/tensor gradcheck attention/efficient attention/fused attention/graph attention/hard
            attention/heads attention/laws attention/scores)
        file(GLOB room_tests CONFIGURE_DEPENDS tests/${room}/*.cpp)
        list(APPEND tests ${room_tests})
    endforeach()
    list(FILTER tests EXCLUDE REGEX
        "gradcheck/main|_command|_complete|_page|test_threads|test_extreme_sizes|test_accuracy")
    add_executable(${target} EXCLUDE_FROM_ALL ${tests})
    target_compile_options(${target} PRIVATE -O1)
    target_compile_definitions(${target} PRIVATE HEED_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
        HEED_BUILD_DIR="${PROJECT_BINARY_DIR}")
    target_link_libraries(${target} PRIVATE heed_attention heed_flags nlohmann_json::nlohmann_json)
    set_target_properties(${target} PROPERTIES OUTPUT_NAME heed_tests)
endfunction()
