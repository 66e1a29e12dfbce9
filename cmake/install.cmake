# Installing: find_package(heed), then link heed::attention.
install(TARGETS heed_autograd heed_nn heed_attention heed_mpi EXPORT heed ARCHIVE DESTINATION lib)
install(DIRECTORY autograd nn attention mpi DESTINATION include/heed FILES_MATCHING PATTERN "*.h")
install(EXPORT heed NAMESPACE heed:: DESTINATION lib/cmake/heed FILE heed-targets.cmake)
file(CONFIGURE OUTPUT heed-config.cmake @ONLY CONTENT [[
include(CMakeFindDependencyMacro)
find_dependency(fmt)
find_dependency(Threads)
if("@MPI_CXX_FOUND@")
    find_dependency(MPI COMPONENTS CXX)
endif()
include("${CMAKE_CURRENT_LIST_DIR}/heed-targets.cmake")
]])
include(CMakePackageConfigHelpers)
write_basic_package_version_file(heed-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES
    ${PROJECT_BINARY_DIR}/heed-config.cmake ${PROJECT_BINARY_DIR}/heed-config-version.cmake
    DESTINATION lib/cmake/heed)
