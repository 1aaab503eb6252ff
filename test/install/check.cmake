# Installs BUILD into a folder of WORK, builds the project EXAMPLES with the package there, and runs
# three of them.
cmake_minimum_required(VERSION 3.25)

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    string(JOIN " " command ${ARGN})
    message(FATAL_ERROR "${command}: ${result}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK}/prefix ${WORK}/examples ${WORK}/app ${WORK}/tracked)
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
run(${CMAKE_COMMAND} -G Ninja -S ${EXAMPLES} -B ${WORK}/examples
    -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_PREFIX_PATH=${WORK}/prefix)
run(${CMAKE_COMMAND} --build ${WORK}/examples)
run(${WORK}/examples/tilewright-tune ${EXAMPLES}/gemm.py hip:gfx1201)
if(NOT output MATCHES "best: 64 x 128, 4 warps")
  message(FATAL_ERROR "tilewright-tune printed\n${output}")
endif()
run(${WORK}/examples/tilewright-layouts cuda:90)
if(NOT output MATCHES "cuda:90: cost [0-9]+, 4 stmatrix, 4 ld.shared.b128, 0 bank conflicts")
  message(FATAL_ERROR "tilewright-layouts printed\n${output}")
endif()
run(${WORK}/examples/tilewright-compile-c ${EXAMPLES}/elementwise.py vector_add
    "*fp32:16, *fp32:16, *fp32:16, i32, 1024" xpu:bmg)
if(NOT output MATCHES "^vector_add.spv: [0-9]+ bytes\n$")
  message(FATAL_ERROR "tilewright-compile-c printed\n${output}")
endif()
run(${WORK}/prefix/bin/tilewright compile ${EXAMPLES}/elementwise.py --kernel vector_add
    --signature "*fp32:16, *fp32:16, *fp32:16, i32, 1024" --target cuda:90 -o ${WORK}/kernel)
run(${WORK}/examples/tilewright-launch-info ${WORK}/kernel vector_add)
if(NOT output MATCHES "argument 3: n of type i32\nthreads of a block: 128\n")
  message(FATAL_ERROR "tilewright-launch-info printed\n${output}")
endif()
run(${WORK}/prefix/bin/tilewright targets)

# A program with kernels inside it, on the stand-in for a GPU of AMD's.
run(${CMAKE_COMMAND} -G Ninja -S ${EXAMPLES}/app -B ${WORK}/app
    -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_PREFIX_PATH=${WORK}/prefix)
run(${CMAKE_COMMAND} --build ${WORK}/app)
run(${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=${STAND_IN} ${WORK}/app/app hip)
if(NOT output STREQUAL "4096 elements, 0 wrong\n1001 elements, 0 wrong\n")
  message(FATAL_ERROR "app printed\n${output}")
endif()
# The compiler of C++ knows what a kernel takes.
file(WRITE ${WORK}/app/wrong.cpp "#include \"saxpy.h\"
bool launch(int *x, float *y) {
  return bool(kernels::saxpy(tilewright::hipQueue(), {1}, x, y, 2.0f, 0));
}")
execute_process(COMMAND ${COMPILER} -std=c++17 -fsyntax-only -I ${WORK}/prefix/include
  -I ${WORK}/app/tilewright/app/include ${WORK}/app/wrong.cpp
  RESULT_VARIABLE result ERROR_VARIABLE output)
if(result EQUAL 0 OR NOT output MATCHES "int ?\\*.* to .*tilewright::Pointer<float>")
  message(FATAL_ERROR "integers are taken for floats:\n${output}")
endif()
# Nothing is compiled again where nothing has changed.
run(${CMAKE_COMMAND} --build ${WORK}/app)
if(NOT output MATCHES "no work to do")
  message(FATAL_ERROR "a second build printed\n${output}")
endif()
# A kernel is compiled again where a module that it imports has changed.
set(tracked ${WORK}/tracked)
file(WRITE ${tracked}/values.py "import triton.language as tl\nVALUE = tl.constexpr(2)\n")
file(WRITE ${tracked}/kernels.py "import triton
import triton.language as tl
import values


@triton.jit
def fill(out):
    tl.store(out, values.VALUE)
")
file(WRITE ${tracked}/main.cpp "int main() {}\n")
file(WRITE ${tracked}/CMakeLists.txt "cmake_minimum_required(VERSION 3.20)
project(Tracked LANGUAGES CXX)
find_package(Tilewright REQUIRED COMPONENTS Launch)
add_executable(tracked main.cpp)
tilewright_add_kernels(tracked kernels.py KERNEL fill SIGNATURES \"*i32\" TARGETS cuda:90)
")
set(ptx ${tracked}/build/tilewright/tracked/fill/cuda-90-0/fill.ptx)
run(${CMAKE_COMMAND} -G Ninja -S ${tracked} -B ${tracked}/build
    -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_PREFIX_PATH=${WORK}/prefix)
run(${CMAKE_COMMAND} --build ${tracked}/build)
file(MD5 ${ptx} before)
file(WRITE ${tracked}/values.py "import triton.language as tl\nVALUE = tl.constexpr(3)\n")
run(${CMAKE_COMMAND} --build ${tracked}/build)
file(MD5 ${ptx} after)
if(before STREQUAL after)
  message(FATAL_ERROR "the kernel was not compiled again:\n${output}")
endif()
# The libraries are large.
file(REMOVE_RECURSE ${WORK}/prefix ${WORK}/examples ${WORK}/app ${WORK}/tracked)
