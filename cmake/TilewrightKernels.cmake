# tilewright_add_kernels(TARGET SOURCE KERNEL name SIGNATURES signature... TARGETS target...
#                        [NUM_WARPS n] [NUM_STAGES n] [NAMESPACE name] [HEADER file] [OPTIONS ...])
#
# Compiles the kernel `name` of the Python file SOURCE in the build of TARGET, for each signature and
# each GPU, in parallel, and again when SOURCE, what it imports or the compiler has changed. TARGET
# gets a header, HEADER (name.h by default), with a function kernels::name (NAMESPACE) that launches
# the specialization that fits its arguments; the code is inside TARGET, which is linked with the
# launch library. OPTIONS are further ones of `tilewright compile`. docs/embedding.md has more.
cmake_policy(PUSH)
cmake_policy(VERSION 3.20...3.25)

function(tilewright_add_kernels target source)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "" "KERNEL;NUM_WARPS;NUM_STAGES;NAMESPACE;HEADER"
                        "SIGNATURES;TARGETS;OPTIONS")
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tilewright_add_kernels does not know '${ARG_UNPARSED_ARGUMENTS}'")
  endif()
  foreach(needed KERNEL SIGNATURES TARGETS)
    if(NOT ARG_${needed})
      message(FATAL_ERROR "tilewright_add_kernels(${target} ${source} ...) lacks ${needed}")
    endif()
  endforeach()
  if(NOT ARG_NAMESPACE)
    set(ARG_NAMESPACE kernels)
  endif()
  if(NOT ARG_HEADER)
    set(ARG_HEADER ${ARG_KERNEL}.h)
  endif()
  if(TARGET tilewright)
    set(command $<TARGET_FILE:tilewright>)
  elseif(Tilewright_COMMAND)
    set(command ${Tilewright_COMMAND})
  else()
    message(FATAL_ERROR "tilewright_add_kernels finds no command tilewright")
  endif()
  set(options ${ARG_OPTIONS})
  if(ARG_NUM_WARPS)
    list(APPEND options --num-warps ${ARG_NUM_WARPS})
  endif()
  if(ARG_NUM_STAGES)
    list(APPEND options --num-stages ${ARG_NUM_STAGES})
  endif()

  get_filename_component(source ${source} ABSOLUTE)
  get_filename_component(file ${source} NAME)
  get_filename_component(stem ${ARG_HEADER} NAME_WE)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/tilewright/${target})
  set(descriptions)
  set(number 0)
  foreach(gpu IN LISTS ARG_TARGETS)
    foreach(signature IN LISTS ARG_SIGNATURES)
      string(REPLACE ":" "-" name "${gpu}")
      set(out ${folder}/${stem}/${name}-${number})
      math(EXPR number "${number} + 1")
      add_custom_command(
        OUTPUT ${out}/${ARG_KERNEL}.json
        COMMAND ${CMAKE_COMMAND} -E make_directory ${out}
        COMMAND ${command} compile ${source} --kernel ${ARG_KERNEL} --signature "${signature}"
                --target ${gpu} ${options} -o ${out} --depfile ${out}/kernel.d
        DEPENDS ${source} ${command}
        DEPFILE ${out}/kernel.d
        COMMENT "Compiling ${ARG_KERNEL} of ${file} for ${gpu}"
        VERBATIM)
      list(APPEND descriptions ${out}/${ARG_KERNEL}.json)
    endforeach()
  endforeach()
  add_custom_command(
    OUTPUT ${folder}/include/${ARG_HEADER} ${folder}/${stem}.cpp
    COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}/include
    COMMAND ${command} generate-header ${descriptions} --header ${folder}/include/${ARG_HEADER}
            --source ${folder}/${stem}.cpp --namespace ${ARG_NAMESPACE} --from ${file}
    DEPENDS ${descriptions} ${command}
    COMMENT "Writing ${ARG_HEADER}"
    VERBATIM)
  target_sources(${target} PRIVATE ${folder}/include/${ARG_HEADER} ${folder}/${stem}.cpp)
  target_include_directories(${target} PRIVATE ${folder}/include)
  target_compile_features(${target} PRIVATE cxx_std_17)
  target_link_libraries(${target} PRIVATE Tilewright::Launch)
endfunction()

cmake_policy(POP)
