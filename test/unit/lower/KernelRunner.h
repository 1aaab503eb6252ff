//===- KernelRunner.h - Kernels in ttg, lowered and simulated -------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The lowering is right if what it makes computes what ttg means. So kernels in ttg are lowered
// and run on the simulator, which also checks bounds, races and uninitialised reads.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TEST_UNIT_LOWER_KERNELRUNNER_H
#define TILEWRIGHT_TEST_UNIT_LOWER_KERNELRUNNER_H

#include "tilewright/Runtime.h"

#include "mlir/IR/BuiltinOps.h"

#include <random>
#include <string>
#include <vector>

namespace tilewright::lower::test {

/// A tensor type's shape, and the text of a layout encoding for it.
struct Tile {
  std::vector<int64_t> shape;
  std::string encoding;
};

/// A random `#ttg.linear` layout for `warps` warps: the bits of `shape` dealt out to
/// registers, lanes and warps in any order; what is left over of lanes and warps is copies.
std::string randomLayout(std::mt19937 &random, const std::vector<int64_t> &shape, unsigned warps);

/// A random `#ttg.linear` layout of a matrix of these elements that is, in each warp, made of
/// fragments of 8 rows of 16 bytes as matrix accesses have them: a 32-bit word in a thread,
/// four threads along the row, eight rows. `transposed`: along the first dimension.
std::string randomFragments(std::mt19937 &random, const std::vector<int64_t> &shape, unsigned warps,
                            unsigned elementBytes, bool transposed);

/// A blocked layout of `rank` dimensions for `warps` warps, sizes at random.
std::string randomBlocked(std::mt19937 &random, unsigned rank, unsigned warps);

/// `tensor<4x8xT, encoding>`.
std::string tensorType(const std::vector<int64_t> &shape, const std::string &element,
                       const std::string &encoding);

/// Ops that make `%NAME_ptr`, pointers to a row-major array at `base` for each element of a
/// tensor of one or two dimensions.
std::string pointersTo(const std::string &name, const std::string &base, const Tile &tile,
                       const std::string &element);

/// The target of the kernels that are run: what the environment variable TILEWRIGHT_TEST_TARGET
/// says, with warps of 32, or cuda:90.
std::string getTargetName();

/// Runs the kernel `@k` with this body, one block, for that target. `arguments` are its
/// parameters as `a: *fp32, b: *i32`; `values` are theirs, and are changed as the kernel
/// does. The text of the error, or "". `llir`, if given, gets the code that was run.
/// `missingBytes`: so many bytes of shared memory less than allocated are there, but one at least.
std::string runKernel(const std::string &parameters, const std::string &body, unsigned warps,
                      std::vector<runtime::HostArray> &values, std::string *llir = nullptr,
                      int missingBytes = 0);

/// Emits and runs a module in the LLVM dialect, one block, which has its bytes of shared memory in
/// its attribute. `kernel` has the description; it gets the code and the bytes.
std::string simulateModule(mlir::ModuleOp module, CompiledKernel &kernel,
                           std::vector<runtime::HostArray> &values);

} // namespace tilewright::lower::test

#endif // TILEWRIGHT_TEST_UNIT_LOWER_KERNELRUNNER_H
