//===- Kernel.h - Compiled kernels and their files ------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// What is needed to launch a kernel after the compiler has gone: its code and a
// description of its arguments and resources. On disk it is a folder with
//
//   NAME.json    the description (KernelMetadata)
//   NAME.llir    LLVM IR of the kernel for its target: what the simulator runs
//   NAME.ptx     native code; the suffix depends on the target (nativeCodeSuffix)
//
// The description looks like this (a `value` marks an argument that the compiler has
// fixed and that is therefore not passed at launch):
//
//   { "name": "vector_add", "target": "cuda:90",
//     "num_warps": 4, "threads_per_warp": 32, "shared_bytes": 0,
//     "arguments": [ {"name": "x", "type": "*fp32", "divisibility": 16},
//                    {"name": "n", "type": "i32"},
//                    {"name": "BLOCK", "type": "constexpr", "value": "1024"} ] }
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_KERNEL_H
#define TILEWRIGHT_KERNEL_H

#include "tilewright/Expected.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

/// One parameter of a kernel's source, in the order of the source.
struct KernelArgument {
  std::string name;
  /// Triton's spelling: "*fp32" is a pointer to f32 elements, "i32" a scalar, and
  /// "constexpr" a parameter that only the compiler sees.
  std::string type;
  /// The compiler assumed the address (in bytes) or the integer to be a multiple of this.
  int divisibility = 1;
  /// The literal that the compiler put in the parameter's place; such an argument is
  /// not passed at launch. Empty for an argument that is passed.
  std::optional<std::string> value;

  bool isPassed() const { return !value.has_value(); }
  bool isPointer() const { return !type.empty() && type.front() == '*'; }
  /// "fp32" for "*fp32" and for "fp32".
  std::string_view elementType() const {
    return std::string_view(type).substr(isPointer() ? 1 : 0);
  }

  bool operator==(const KernelArgument &) const = default;
};

struct KernelMetadata {
  /// The name of the function in the code.
  std::string name;
  /// Vendor and architecture as on the command line, e.g. "cuda:90".
  std::string target;
  int numWarps = 4;
  int threadsPerWarp = 32;
  /// Bytes of dynamic shared memory that each block needs.
  int sharedBytes = 0;
  std::vector<KernelArgument> arguments;

  int threadsPerBlock() const { return numWarps * threadsPerWarp; }

  bool operator==(const KernelMetadata &) const = default;
};

/// The text of NAME.json, with a line break at its end. Equal metadata give equal bytes.
std::string toJson(const KernelMetadata &metadata);

/// Reads what `toJson` writes; keys that are not known are passed over. `file` is named
/// in errors, which also say the key that is missing or has a wrong type.
Expected<KernelMetadata> metadataFromJson(std::string_view text, const std::string &file);

/// A kernel that a runtime::Device can load. Either text may be empty; a device says so
/// when it needs the missing one.
struct CompiledKernel {
  KernelMetadata metadata;
  /// LLVM IR for the target, after optimisation.
  std::string llir;
  /// What the target's driver loads: PTX text, or the bytes of an HSACO or SPIR-V file.
  std::string nativeCode;
};

/// ".ptx" for "cuda:*", ".hsaco" for "hip:*", ".spv" for "xpu:*"; empty for other targets.
std::string_view nativeCodeSuffix(std::string_view target);

/// Reads DIRECTORY/NAME.json and whichever of NAME.llir and the native code lie beside
/// it. It is an error if the description cannot be read or if there is no code at all.
Expected<CompiledKernel> readCompiledKernel(const std::string &directory, const std::string &name);

/// Writes NAME.json, NAME.llir and the native code (those that are not empty) into an
/// existing directory, where NAME is the kernel's name.
Expected<void> writeCompiledKernel(const std::string &directory, const CompiledKernel &kernel);

} // namespace tilewright

#endif // TILEWRIGHT_KERNEL_H
