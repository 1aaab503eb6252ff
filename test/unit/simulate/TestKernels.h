//===- TestKernels.h - Kernels written by hand ----------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A kernel's text is the body of its function with whatever it declares; `Launcher`
// loads it on a simulator of its own and runs it.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TEST_UNIT_SIMULATE_TESTKERNELS_H
#define TILEWRIGHT_TEST_UNIT_SIMULATE_TESTKERNELS_H

#include "tilewright/Simulator.h"

#include <gtest/gtest.h>

namespace tilewright::simulate::test {

/// `!dbg !1000` marks an instruction as line 10, column 7 of kernel.py, `!dbg !2000` as
/// line 20, column 9, and `!dbg !3000` as line 30, called from line 20.
inline constexpr char debugInfo[] = R"(
!llvm.dbg.cu = !{!100}
!llvm.module.flags = !{!102}
!100 = distinct !DICompileUnit(language: DW_LANG_C, file: !101, emissionKind: LineTablesOnly)
!101 = !DIFile(filename: "kernel.py", directory: "")
!102 = !{i32 2, !"Debug Info Version", i32 3}
!103 = distinct !DISubprogram(name: "k", scope: !101, file: !101, line: 1, type: !104, unit: !100, spFlags: DISPFlagDefinition)
!104 = !DISubroutineType(types: !105)
!105 = !{}
!106 = distinct !DISubprogram(name: "f", scope: !101, file: !101, line: 28, type: !104, unit: !100, spFlags: DISPFlagDefinition)
!1000 = !DILocation(line: 10, column: 7, scope: !103)
!2000 = !DILocation(line: 20, column: 9, scope: !103)
!3000 = !DILocation(line: 30, column: 3, scope: !106, inlinedAt: !2000)
)";

/// The beginning of a module as the NVPTX back end gets it.
inline constexpr char moduleHead[] = R"(
target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@global_smem = external addrspace(3) global [0 x i8], align 16
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
)";

/// Arrays of zeros.
inline runtime::HostArray floats(int64_t count) {
  return runtime::HostArray(runtime::ElementType::Float32, {count});
}
inline runtime::HostArray ints(int64_t count) {
  return runtime::HostArray(runtime::ElementType::Int32, {count});
}

/// "x: *fp32, n: i32" as the arguments of a description.
std::vector<KernelArgument> parseArguments(const std::string &text);

/// A description and the text of a module that defines `@k` with debug info.
CompiledKernel makeKernel(const std::string &arguments, const std::string &text, int numWarps = 1,
                          int sharedBytes = 0);

/// The same for any target: the text is the whole module but for the debug info.
CompiledKernel makeKernelFor(const std::string &target, int threadsPerWarp,
                             const std::string &arguments, const std::string &text,
                             int numWarps = 1);

/// A vendor's modules for tests of what one warp computes: `out[i * lanes + t] = %ri` for each of
/// the results, where %t is the thread's number.
struct LaneKernel {
  std::string target;
  int lanes;
  /// The text before the kernel, and that of its definition up to its parameters.
  std::string head, define;
  /// Computes %t (i32).
  std::string threadNumber;

  /// The i32 results of each lane, after one another.
  runtime::HostArray run(const std::string &declarations, const std::string &body,
                         int results = 1) const;
  /// How such a kernel fails.
  std::string error(const std::string &declarations, const std::string &body) const;

private:
  CompiledKernel make(const std::string &declarations, const std::string &body, int results) const;
};
extern const LaneKernel amdLanes;
LaneKernel intelLanes(int lanes);

class Launcher {
public:
  explicit Launcher(SimulatorOptions options = {}) : simulator(createSimulator(options)) {}

  /// Loads and runs; the arrays among the arguments are changed as the kernel does.
  Expected<void> run(const CompiledKernel &kernel, std::vector<runtime::ArgumentValue> &arguments,
                     runtime::Grid grid = {});

  std::unique_ptr<Simulator> simulator;
};

/// Runs a kernel that is expected to fail, and gives the rendered error.
std::string errorOf(const CompiledKernel &kernel, std::vector<runtime::ArgumentValue> arguments,
                    SimulatorOptions options = {}, runtime::Grid grid = {});

} // namespace tilewright::simulate::test

#endif // TILEWRIGHT_TEST_UNIT_SIMULATE_TESTKERNELS_H
