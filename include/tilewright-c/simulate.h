//===- simulate.h - Running kernels on the CPU simulator, from C ------*- C -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A device that needs no GPU and no driver, runs the kernels of all targets, and finds what a GPU
// does not: accesses out of bounds, races in shared memory, deadlocks (docs/simulator.md).
//
//     tilewright_create_simulator(0, &simulator);
//     tilewright_simulator_load(simulator, description, llir, llir_bytes, &kernel);
//     tilewright_simulator_allocate(simulator, bytes, "x", &x);
//     tilewright_simulator_copy_in(simulator, x, host, bytes);
//     TilewrightValue values[2] = {tilewright_pointer(x), tilewright_integer(n)};
//     if (tilewright_simulator_run(kernel, blocks, 1, 1, values, 2))
//       puts(tilewright_last_error());
//
// Functions that return an int return 0 on success; else tilewright_last_error (launch.h) says what
// was wrong. A simulator, with its memory and its kernels, belongs to one thread at a time;
// different ones may be used by different threads at once. The functions are in libtilewright.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_C_SIMULATE_H
#define TILEWRIGHT_C_SIMULATE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A device with memory of its own.
typedef struct TilewrightSimulator TilewrightSimulator;
/// A kernel on a simulator, which it keeps alive.
typedef struct TilewrightSimulatedKernel TilewrightSimulatedKernel;

/// Makes a simulator, which is to be given back by tilewright_destroy_simulator. If `count` is not
/// 0 it counts memory traffic (tilewright_simulator_report), and is several times slower.
int tilewright_create_simulator(int count, TilewrightSimulator **simulator);
/// Frees its memory, when no kernel is on it any more. Null is allowed.
void tilewright_destroy_simulator(TilewrightSimulator *simulator);

/// Memory of the simulator: `label` names it in errors. Freed by tilewright_simulator_free, or with
/// the simulator.
int tilewright_simulator_allocate(TilewrightSimulator *simulator, size_t bytes, const char *label,
                                  uint64_t *address);
int tilewright_simulator_free(TilewrightSimulator *simulator, uint64_t address);
/// To the simulator's memory, and back.
int tilewright_simulator_copy_in(TilewrightSimulator *simulator, uint64_t to, const void *from,
                                 size_t bytes);
int tilewright_simulator_copy_out(TilewrightSimulator *simulator, void *to, uint64_t from,
                                  size_t bytes);

/// Makes a kernel ready from the text of NAME.json, which ends with a null, and LLVM IR
/// (TILEWRIGHT_DESCRIPTION and TILEWRIGHT_LLIR in compile.h, NAME.llir on the disk); both are
/// copied. It is to be given back by tilewright_simulator_unload.
int tilewright_simulator_load(TilewrightSimulator *simulator, const char *description,
                              const char *llir, size_t llir_bytes,
                              TilewrightSimulatedKernel **kernel);
/// Null is allowed.
void tilewright_simulator_unload(TilewrightSimulatedKernel *kernel);

typedef enum TilewrightValueKind {
  TILEWRIGHT_POINTER = 0,
  TILEWRIGHT_INTEGER = 1,
  TILEWRIGHT_FLOAT = 2,
  TILEWRIGHT_TENSOR = 3
} TilewrightValueKind;

/// The value of an argument. A number is converted to the argument's type; a tensor is for a tensor
/// descriptor.
typedef struct TilewrightValue {
  TilewrightValueKind kind;
  /// The address of a pointer or a tensor.
  uint64_t address;
  int64_t integer;
  double number;
  /// A tensor's sizes and strides in elements, `rank` of each, the outermost first.
  int rank;
  const int64_t *shape, *strides;
} TilewrightValue;

TilewrightValue tilewright_pointer(uint64_t address);
TilewrightValue tilewright_integer(int64_t integer);
TilewrightValue tilewright_float(double number);
TilewrightValue tilewright_tensor(uint64_t address, int rank, const int64_t *shape,
                                  const int64_t *strides);

/// Runs x * y * z programs and waits for their end. `values`: those arguments that NAME.json gives
/// an `index`, in that order. Errors: values that do not fit the description, and what the
/// simulator finds while the kernel runs, with its place in the source.
int tilewright_simulator_run(TilewrightSimulatedKernel *kernel, uint32_t x, uint32_t y, uint32_t z,
                             const TilewrightValue *values, int count);

/// The counts of all runs so far, as a text for people, which is to be given back by
/// tilewright_free_text (layout.h).
int tilewright_simulator_report(const TilewrightSimulator *simulator, char **text);
/// The same as JSON (docs/simulator.md).
int tilewright_simulator_report_json(const TilewrightSimulator *simulator, char **json);

#ifdef __cplusplus
}
#endif

#endif // TILEWRIGHT_C_SIMULATE_H
