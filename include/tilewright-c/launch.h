//===- launch.h - Launching compiled kernels, from C ------------------*- C -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Launches what `tilewright compile -o FOLDER` wrote, on a GPU whose driver is opened at run time:
// NVIDIA's, HIP for AMD's GPUs, OpenCL for Intel's; the kernel's target says which.
// libtilewright-launch needs the C and C++ libraries and nothing else. It owns no memory of the
// device and no streams: arguments are addresses and numbers, and a launch does not wait.
//
//     TilewrightKernel *kernel;
//     if (tilewright_open("out", "vector_add", &kernel) ||
//         tilewright_set_pointer(kernel, 0, x) || tilewright_set_pointer(kernel, 1, y) ||
//         tilewright_set_integer(kernel, 2, n) ||
//         tilewright_launch(kernel, blocks, 1, 1, stream))
//       puts(tilewright_last_error());
//
// Functions that return an int return 0 on success. A kernel belongs to one thread at a time;
// different kernels may be used by different threads at once. docs/runtime.md has more.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_C_LAUNCH_H
#define TILEWRIGHT_C_LAUNCH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A compiled kernel with the values of its arguments.
typedef struct TilewrightKernel TilewrightKernel;

/// Says what the last function of this thread that failed met, and what to do about it. The text is
/// valid until the next failure in this thread; "" if there was none.
const char *tilewright_last_error(void);

/// Reads FOLDER/NAME.json and the code beside it: NAME.cubin if there is one, else NAME.ptx;
/// NAME.hsaco; NAME.spv. Needs no GPU. The kernel is to be given back by tilewright_close.
int tilewright_open(const char *folder, const char *name, TilewrightKernel **kernel);
/// The same from memory, which is copied: the text of NAME.json and the bytes of the code.
int tilewright_open_memory(const char *description, const void *code, size_t code_bytes,
                           TilewrightKernel **kernel);
/// Unloads and frees the kernel; launches that are under way have to be over. Null is allowed.
void tilewright_close(TilewrightKernel *kernel);

//===----------------------------------------------------------------------------===//
// Arguments: those that NAME.json gives an `index`, in that order, from 0.
//===----------------------------------------------------------------------------===//

int tilewright_get_argument_count(const TilewrightKernel *kernel);
/// The name in the source, and the type in Triton's spelling ("*fp16", "i32",
/// "tensordesc<fp16[64, 32]>"); null for an index that there is not. They are valid as long as the
/// kernel.
const char *tilewright_get_argument_name(const TilewrightKernel *kernel, int index);
const char *tilewright_get_argument_type(const TilewrightKernel *kernel, int index);

/// Set an argument for all launches that follow. A number is converted to the argument's type. A
/// tensor is for a tensor descriptor: its sizes and strides are counted in elements, `rank` of
/// each, the outermost dimension first. Errors: an index that there is not, a number for a pointer
/// or the reverse, an integer that does not fit the type, a value that is no multiple of what the
/// kernel was compiled for, a tensor whose last stride is not 1.
int tilewright_set_pointer(TilewrightKernel *kernel, int index, uint64_t address);
int tilewright_set_integer(TilewrightKernel *kernel, int index, int64_t value);
int tilewright_set_float(TilewrightKernel *kernel, int index, double value);
int tilewright_set_tensor(TilewrightKernel *kernel, int index, uint64_t address, int rank,
                          const int64_t *shape, const int64_t *strides);

//===----------------------------------------------------------------------------===//
// On the GPU
//===----------------------------------------------------------------------------===//

/// Loads the kernel onto a GPU, by its ordinal: with CUDA in the device's primary context, which
/// the CUDA runtime and PyTorch use as well; with OpenCL in a context of the kernel's own. A kernel
/// that is on another GPU is loaded anew.
int tilewright_load(TilewrightKernel *kernel, int device);

/// Queues a launch of x * y * z programs - blocks, or clusters of blocks where NAME.json says so -
/// on `stream`: a CUstream or cudaStream_t, a hipStream_t or a cl_command_queue of the kernel's
/// GPU; null is the default stream. It returns before the kernel has run. All arguments have to be
/// set. A kernel that is on no GPU is loaded onto GPU 0, and with OpenCL into the context of the
/// queue, where this is another one.
int tilewright_launch(TilewrightKernel *kernel, uint32_t x, uint32_t y, uint32_t z, void *stream);
/// The same with arguments that are passed by and not set: the bits of each in the low bytes of a
/// word, in the types of NAME.json; a tensor descriptor is an address, its sizes and its strides.
/// Nothing is checked of them but how many there are. tilewright_round gives the bits of numbers
/// that C has no type for.
int tilewright_launch_words(TilewrightKernel *kernel, uint32_t x, uint32_t y, uint32_t z,
                            void *stream, const uint64_t *words, int count);
/// The bits, in the low bytes of a word, of the number of a floating-point type - "fp16", "bf16",
/// "fp8e5", "fp8e4nv", "fp32", "fp64" - that is nearest to `value`, ties to even. One that is too
/// large is infinite, or in fp8e4nv, which has no infinity, not a number. Needs no GPU. Any number
/// of threads may call it. Error: another type.
int tilewright_round(const char *type, double value, uint64_t *word);

typedef enum TilewrightAttribute {
  /// As the description says, without a GPU.
  TILEWRIGHT_THREADS_PER_BLOCK = 0,
  TILEWRIGHT_DYNAMIC_SHARED_BYTES = 1,
  /// Of a kernel that is loaded; OpenCL tells none of those that follow. For each thread:
  /// registers, and bytes of local memory, where
  /// registers are spilled.
  TILEWRIGHT_REGISTERS = 2,
  TILEWRIGHT_LOCAL_BYTES = 3,
  /// Shared memory that the code takes beside what a launch asks for.
  TILEWRIGHT_STATIC_SHARED_BYTES = 4,
  /// The number of its GPU's that the blocks of a persistent kernel are a multiple of.
  TILEWRIGHT_MULTIPROCESSORS = 5,
  /// How many programs of a kernel that is loaded the GPU runs at once. A launch of as many
  /// is that of a persistent kernel, whose programs go on to the next tile by themselves.
  TILEWRIGHT_CONCURRENT_PROGRAMS = 6,
  /// As the description says: blocks of the cluster that runs a program, 1 for none.
  TILEWRIGHT_BLOCKS_PER_PROGRAM = 7
} TilewrightAttribute;

int tilewright_get_attribute(TilewrightKernel *kernel, TilewrightAttribute attribute, int *value);

#ifdef __cplusplus
}
#endif

#endif // TILEWRIGHT_C_LAUNCH_H
