# Compiles the sources of each folder together: headers and templates are read once and not once a file.
# From nothing this takes half of the time; after a change it takes longer than with HEED_UNITY=OFF.
# Two files of a folder then cannot have a variable or a type of one name, even where nobody else sees
# it. Sources that match `apart` are left as they are.
function(heed_compile_together target)  # ARGN: apart
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "^${CMAKE_CURRENT_SOURCE_DIR}/")  # not what is generated
    if(ARGN)
        list(FILTER sources EXCLUDE REGEX ${ARGN})
    endif()
    foreach(source IN LISTS sources)
        cmake_path(GET source PARENT_PATH folder)
        cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
        string(MAKE_C_IDENTIFIER ${folder} folder)
        set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder})
    endforeach()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ${HEED_UNITY} UNITY_BUILD_MODE GROUP)
endfunction()
