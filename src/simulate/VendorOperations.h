//===- VendorOperations.h - The table of a vendor's simulated operations -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// All that the simulator has to know of a vendor is in one table. To add a vendor:
//
//   1. a folder of its own with a function that returns its table;
//   2. `replace` rewrites a call of one of the vendor's functions (names that begin with
//      one of `prefixes`) as plain IR or as calls of the machine, and replaces and erases
//      it; barriers, thread numbers and warp-wide operations have helpers in Instrumenter,
//      Machine and CallReplacer, so that the vendor only says what goes where;
//   3. functions that the rewritten code calls are listed in `symbols`;
//   4. `addressSpaces` says which memory pointers point to, `launchBlocks` what a kernel
//      can read besides its arguments, `statedLaunch` what launches it is for;
//   5. vendor::Vendor::getSimulatedOperations returns the table.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_SIMULATE_VENDOROPERATIONS_H
#define TILEWRIGHT_SIMULATE_VENDOROPERATIONS_H

#include "runtime/launch/TensorMaps.h"
#include "simulate/RuntimeCalls.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace llvm {
class CallInst;
class Function;
} // namespace llvm

namespace tilewright::simulate {

class Instrumenter;
struct Registers;

/// LLVM's numbers of the address spaces that are not global memory. Whatever has another number
/// is checked as global memory is.
struct AddressSpaces {
  /// Any memory: the address tells which.
  unsigned generic;
  unsigned shared;
  /// The thread's own stack, where `alloca` takes memory.
  unsigned stack;
  /// The shared memory of all blocks of the cluster; no address space where there are none.
  unsigned cluster = ~0u;
};

/// Memory that the driver fills at each launch, for the kernel to read.
struct LaunchBlock {
  /// The function that gives its address.
  std::string_view function;
  /// For messages: "the launch's hidden arguments".
  std::string_view name;
  size_t bytes;
  /// Fills it with what belongs to all threads of a launch; it is zeroed before.
  void (*fill)(const Registers &registers, std::span<std::byte> block);
};

/// The launches that a kernel's function declares itself for; 0 where it declares nothing.
struct LaunchBounds {
  uint64_t threadsPerBlock = 0;
  uint64_t threadsPerWarp = 0;
};

struct VendorOperations {
  /// How the names of the vendor's functions begin.
  std::span<const std::string_view> prefixes;
  /// Replaces the call; false, with the call untouched, if it is not known.
  bool (*replace)(Instrumenter &instrumenter, llvm::CallInst &call);
  std::span<const RuntimeSymbol> symbols;
  /// Replaces inline assembly that the compiler itself writes, likewise; null where there is none.
  bool (*replaceAssembly)(Instrumenter &instrumenter, llvm::CallInst &call) = nullptr;
  /// Its attributes and metadata, to be compared with the kernel's description.
  LaunchBounds (*statedLaunch)(const llvm::Function &kernel);
  AddressSpaces addressSpaces;
  std::span<const LaunchBlock> launchBlocks = {};
  /// Writes a tensor map in the form that the simulated copies read; null where there are none.
  void (*encodeTensorMap)(const runtime::TensorMap &map, runtime::TensorMapBytes &bytes) = nullptr;
  /// A shift by as many bits as a number has, or more, shifts all of them out, as in PTX. Where
  /// not, its result is the host's.
  bool clampsShifts = false;
};

} // namespace tilewright::simulate

#endif // TILEWRIGHT_SIMULATE_VENDOROPERATIONS_H
