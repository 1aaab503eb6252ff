//===- kernels.h - Specializations of a kernel, from C ----------------*- C -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A set is one kernel, compiled several times: for several GPUs, for arguments that are multiples
// of 16 and for any, for several values of a constant. A launch takes the specialization that fits
// the device and the arguments best. Programs that CMake's tilewright_add_kernels builds use this
// through a typed function for each kernel (docs/embedding.md).
//
// Functions that return an int return 0 on success; else tilewright_last_error (launch.h) says what
// was wrong. Any number of threads may launch the same set at once.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_C_KERNELS_H
#define TILEWRIGHT_C_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A specialization: what `tilewright compile` writes.
typedef struct TilewrightImage {
  /// The text of NAME.json.
  const char *description;
  const void *code;
  size_t code_bytes;
} TilewrightImage;

typedef struct TilewrightKernelSet TilewrightKernelSet;

/// Where a launch goes. The family is that of the target: a GPU of NVIDIA's by CUDA's driver, of
/// AMD's by HIP, of Intel's by OpenCL.
typedef enum TilewrightFamily {
  TILEWRIGHT_CUDA = 0,
  TILEWRIGHT_HIP = 1,
  TILEWRIGHT_XPU = 2
} TilewrightFamily;

typedef struct TilewrightQueue {
  TilewrightFamily family;
  /// The GPU's ordinal. With OpenCL it is for a null stream alone.
  int device;
  /// A CUstream or cudaStream_t, a hipStream_t, a cl_command_queue; null is the default stream.
  void *stream;
} TilewrightQueue;

/// Makes a set of specializations whose descriptions name the same arguments with the same types.
/// Of those for the same family, the ones for the target named first are tried first on a device.
/// Code is not copied: it has to be there as long as the set, which is to be given back by
/// tilewright_close_set. Needs no GPU.
int tilewright_open_set(const TilewrightImage *images, int count, TilewrightKernelSet **set);
/// Unloads and frees the set; launches that are under way have to be over. Null is allowed.
void tilewright_close_set(TilewrightKernelSet *set);

/// How many words a launch takes: those of all arguments, but for the ones that have the same value
/// in all specializations.
int tilewright_get_word_count(const TilewrightKernelSet *set);

/// Queues a launch of x * y * z programs and returns before the kernel has run. `words`: the
/// arguments as for tilewright_launch_words; of one that only some specializations take the value
/// of, or whose constants differ, the integer. The specialization is the one of the greatest
/// divisors and most constants among those that fit. It is loaded when it is first needed.
int tilewright_launch_set(TilewrightKernelSet *set, TilewrightQueue queue, uint32_t x, uint32_t y,
                          uint32_t z, const uint64_t *words, int count);

#ifdef __cplusplus
}
#endif

#endif // TILEWRIGHT_C_KERNELS_H
