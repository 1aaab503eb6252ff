//===- Kernel.h - Compiled kernels and their files ------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A kernel as it is launched after the compiler has gone: its code and a
// description of its arguments and resources. On disk it is a folder with
//
//   NAME.json    the description (KernelMetadata)
//   NAME.llir    LLVM IR of the kernel for its target: what the simulator runs
//   NAME.ptx     native code; the suffix depends on the target (nativeCodeSuffix)
//
// The description looks like this (a `value` marks an argument that the compiler has
// fixed and that is therefore not passed at launch):
//
//   { "name": "vector_add", "target": "hip:gfx1201",
//     "num_warps": 4, "threads_per_warp": 32, "shared_bytes": 512,
//     "arguments": [ {"name": "x", "type": "*fp32", "divisibility": 16, "index": 0, "bytes": 8},
//                    {"name": "n", "type": "i32", "index": 1, "bytes": 4},
//                    {"name": "BLOCK", "type": "constexpr", "value": "1024"} ],
//     "launch": { "code": "vector_add.hsaco", "symbol": "vector_add",
//                 "block": [128, 1, 1], "dynamic_shared_bytes": 0,
//                 "kernel_descriptor": "vector_add.kd", "wavefront_size": 32,
//                 "kernarg_bytes": 12 } }
//
// `index` and `bytes` tell launchers which parameter of the function an argument is and how large:
// scalars stand in their own size (an i1 is a byte that is 0 or 1), pointers have 8 bytes. A tensor
// descriptor ("tensordesc<fp16[64, 32]>") is several parameters, from `index` on, and `bytes` is
// the list of their sizes: the address of the tensor, its size in each dimension (i32) and its
// stride in each (i64), in elements, the outermost first; the last stride is 1.
//
// `launch` says in the vendor's words what a launcher asks for, and has for each
//
//   code                  the file that the vendor's driver loads
//   symbol                what the kernel is called in it
//   block                 threads of a block along x, y and z
//   cluster               for cuda, if programs are run by clusters: blocks of a cluster along x, y
//                         and z; `num_ctas` of the kernel along x. The grid in blocks is that of
//                         the programs, times these
//   cooperative           true for cuda and hip if all blocks of a launch have to run at the same
//                         time: the launch asks the driver for that
//   programmatic          true for cuda if the launch may begin before the one before it in the
//                         stream has ended: CUDA's programmatic stream serialization
//   global_scratch_bytes  global memory that the launch sets aside for each block, if any: the last
//                         parameter of the kernel, after all others, is the address of all of it,
//                         a multiple of 128; blocks count with x the fastest
//   tensor_maps           for cuda, if any: parameters after those of the arguments,
//                         tensor maps of 128 bytes each that are passed by value: see
//                         TensorMapRecipe
//   dynamic_shared_bytes  shared memory that the launch has to ask for: all of shared_bytes for
//                         cuda; none for hip and xpu, whose code says itself how much it needs
//
// and for hip: kernel_descriptor, the symbol of the HSA kernel descriptor; wavefront_size;
// kernarg_bytes, the segment that the arguments are passed in - each aligned to its size, and
// after them, if the kernel asks for the number of blocks along an axis, the hidden arguments of
// code object version 5, where it stands; HIP fills them in - and for xpu:
// sub_group_size, and build_options where there are any: what OpenCL's clBuildProgram has to be
// given with the module. A block is OpenCL's work-group.
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
  /// Triton's spelling: "*fp32" is a pointer to f32 elements, "i32" a scalar,
  /// "tensordesc<fp16[64, 32]>" a tensor of which blocks of this shape are accessed, and
  /// "constexpr" a parameter that only the compiler sees.
  std::string type;
  /// The compiler assumed the address (in bytes) or the integer to be a multiple of this; of a
  /// tensor descriptor the address and the strides but the last, in bytes.
  int divisibility = 1;
  /// The literal that the compiler put in the parameter's place; such an argument is
  /// not passed at launch. Empty for an argument that is passed.
  std::optional<std::string> value;

  bool isPassed() const { return !value.has_value(); }
  bool isPointer() const { return !type.empty() && type.front() == '*'; }
  bool isDescriptor() const { return type.starts_with("tensordesc<"); }
  /// "fp32" for "*fp32", for "fp32" and for "tensordesc<fp32[64, 32]>".
  std::string_view elementType() const;
  /// The dimensions of a tensor descriptor; 0 for other arguments.
  size_t rank() const;

  bool operator==(const KernelArgument &) const = default;
};

/// A number that follows from a launch's arguments: `factor` times the values of the parameters,
/// which count from 0 as `index` does.
struct LaunchValue {
  int64_t factor = 1;
  std::vector<unsigned> parameters;

  bool operator==(const LaunchValue &) const = default;
};

/// How a launcher makes a tensor map of the parameters: what NVIDIA's cuTensorMapEncodeTiled asks
/// for. Dimensions are in its order, the fastest first. In NAME.json:
///
///   { "index": 5, "bytes": 128, "element": "f16", "address": 0,
///     "sizes": [{"parameters": [2]}, {"parameters": [1]}],
///     "strides": [{"factor": 2, "parameters": [3]}], "box": [64, 128], "swizzle_bytes": 128,
///     "fill": "zero" }
struct TensorMapRecipe {
  /// In PTX's spelling: u8, u16, u32, s32, u64, s64, f16, f32, f64 or bf16.
  std::string element;
  /// The parameter that is the tensor's address.
  unsigned address = 0;
  /// Elements in each dimension.
  std::vector<LaunchValue> sizes;
  /// Bytes from one element to the next, in all dimensions but the fastest.
  std::vector<LaunchValue> strides;
  /// Elements of a box in each dimension.
  std::vector<int> box;
  /// 0 for none, 32, 64 or 128.
  int swizzleBytes = 0;
  /// Whether elements outside of the tensor are NaN rather than 0.
  bool fillsNan = false;

  bool operator==(const TensorMapRecipe &) const = default;
};

struct KernelMetadata {
  /// The name of the function in the code.
  std::string name;
  /// Vendor and architecture as on the command line, e.g. "cuda:90".
  std::string target;
  int numWarps = 4;
  int threadsPerWarp = 32;
  /// Blocks of the cluster that runs a program: a power of two, 1 where blocks run by themselves.
  int numCtas = 1;
  /// Bytes of shared memory that each block needs.
  int sharedBytes = 0;
  /// The stages that overlap in each loop whose loads asynchronous copies can make, in the order of
  /// the loops: fewer than asked for where shared memory does not hold them, 1 for none.
  std::vector<int> loopStages;
  /// Bytes of global memory that a launch sets aside for each block; 0 for none.
  int globalScratchBytes = 0;
  /// For hip: bytes of the segment of arguments, the hidden ones included; 0 elsewhere.
  int kernargBytes = 0;
  /// For xpu: options that the driver's compiler has to get, in OpenCL's spelling, with spaces in
  /// between. "-cl-intel-256-GRF-per-thread" (Level Zero's "-ze-opt-large-register-file") asks for
  /// the large register file. Empty: none.
  std::string buildOptions;
  /// For cuda and hip: all blocks of a launch are to run at the same time.
  bool isCooperative = false;
  /// For cuda: a launch may begin before the one before it in the stream has ended.
  bool isProgrammatic = false;
  std::vector<KernelArgument> arguments;
  /// Each is a parameter after those of the arguments, for cuda.
  std::vector<TensorMapRecipe> tensorMaps;

  int threadsPerBlock() const { return numWarps * threadsPerWarp; }
  /// The most blocks that the cluster of a program has: those that every GPU with clusters takes.
  static constexpr int maxNumCtas = 8;
  /// Those of sharedBytes that a launch has to ask for.
  int dynamicSharedBytes() const;

  bool operator==(const KernelMetadata &) const = default;
};

/// The text of NAME.json, with a line break at its end. Equal metadata give equal bytes.
std::string toJson(const KernelMetadata &metadata);

/// Reads what `toJson` writes; keys that are not known are passed over, and so is what follows from
/// others: of `launch` all but kernarg_bytes, build_options, cooperative and programmatic, of
/// arguments `index` and `bytes`. `file` is named in errors, which also say the key that is missing
/// or has a wrong type.
Expected<KernelMetadata> metadataFromJson(std::string_view text, const std::string &file);

/// A kernel that a runtime::Device can load. Either text may be empty; a device says so
/// when it needs the missing one.
struct CompiledKernel {
  KernelMetadata metadata;
  /// LLVM IR for the target, as its code generator gets it.
  std::string llir;
  /// The code that the target's driver loads: PTX text, or the bytes of an HSACO or SPIR-V file.
  std::string nativeCode;
};

/// ".ptx" for "cuda:*", ".hsaco" for "hip:*", ".spv" for "xpu:*"; empty for other targets.
std::string_view nativeCodeSuffix(std::string_view target);
/// That of the file with the assembly of native code which is no text itself: ".amdgcn" for
/// "hip:*"; empty for other targets.
std::string_view assemblySuffix(std::string_view target);

/// Reads DIRECTORY/NAME.json and whichever of NAME.llir and the native code lie beside
/// it. It is an error if the description cannot be read or if there is no code at all.
Expected<CompiledKernel> readCompiledKernel(const std::string &directory, const std::string &name);

/// Writes NAME.json, NAME.llir and the native code (those that are not empty) into an
/// existing directory, where NAME is the kernel's name.
Expected<void> writeCompiledKernel(const std::string &directory, const CompiledKernel &kernel);

} // namespace tilewright

#endif // TILEWRIGHT_KERNEL_H
