//===- tune.cpp - Choose among specializations of a kernel --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// How a program compiles one source for many tile sizes and numbers of warps and takes the best:
// here the one that reads the fewest sectors of global memory, which the simulator counts. On a GPU
// one would take `runtime::measure` in its place.
//
//   tilewright-tune GEMM.PY [TARGET]
//
//===--------------------------------------------------------------------------===//

#include "tilewright/CompileSession.h"
#include "tilewright/Simulator.h"

#include <cstdio>
#include <iostream>
#include <optional>

using namespace tilewright;

namespace {

/// The product of matrices of `size` x `size` elements in tiles of `rows` x `columns`.
constexpr uint32_t size = 128;
struct Candidate {
  uint32_t rows, columns;
  int numWarps;
};
constexpr Candidate candidates[] = {{16, 32, 1}, {32, 32, 1},  {32, 64, 2},
                                    {64, 64, 4}, {64, 128, 4}, {128, 128, 8}};

CompileOptions specialize(const Candidate &candidate, const std::string &target) {
  CompileOptions options;
  options.kernel = "matmul_fma";
  // Pointers; sizes and strides, all multiples of 16; the strides that are 1; the tile.
  options.signature = "*fp32:16, *fp32:16, *fp32:16, i32:16, i32:16, i32:16, "
                      "i32:16, 1, i32:16, 1, i32:16, 1, " +
                      std::to_string(candidate.rows) + ", " + std::to_string(candidate.columns);
  options.target = target;
  options.numWarps = candidate.numWarps;
  return options;
}

/// Sectors of global memory that one product reads.
Expected<uint64_t> countSectors(const CompiledKernel &compiled, const Candidate &candidate) {
  simulate::SimulatorOptions options;
  options.count = true;
  auto device = simulate::createSimulator(options);
  auto kernel = device->load(compiled);
  if (!kernel)
    return kernel.error();
  runtime::HostArray matrix;
  matrix.type = runtime::ElementType::Float32;
  matrix.shape = {size, size};
  matrix.bytes.resize(size * size * sizeof(float));
  std::vector<runtime::ArgumentValue> arguments = {matrix, matrix, matrix};
  // M, N and K, and three strides.
  arguments.insert(arguments.end(), 6, int64_t(size));
  const runtime::Grid grid = {size / candidate.columns, size / candidate.rows};
  if (auto done = runtime::run(*device, **kernel, grid, arguments); !done)
    return done.error();
  return device->report().total().globalLoads.sectors;
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 2 || argc > 3) {
    std::fprintf(stderr, "usage: tilewright-tune GEMM.PY [TARGET]\n");
    return 1;
  }
  auto source = readSource(argv[1]);
  if (!source) {
    std::cerr << render(source.error());
    return 1;
  }
  std::vector<CompileOptions> specializations;
  for (const Candidate &candidate : candidates)
    specializations.push_back(specialize(candidate, argc == 3 ? argv[2] : "cuda:90"));

  CompileSession session(*source);
  std::vector<CompileResult> results = session.compileAll(specializations);

  std::optional<size_t> best;
  uint64_t fewest = 0;
  std::printf("tile      warps  sectors read\n");
  for (size_t i = 0; i < results.size(); ++i) {
    for (const Diagnostic &diagnostic : results[i].diagnostics)
      std::cerr << render(diagnostic);
    if (!results[i])
      return 1;
    auto sectors = countSectors(results[i].compilation->kernel, candidates[i]);
    if (!sectors) {
      std::cerr << render(sectors.error());
      return 1;
    }
    std::printf("%3u x %-3u %5d  %12llu\n", candidates[i].rows, candidates[i].columns,
                candidates[i].numWarps, static_cast<unsigned long long>(*sectors));
    if (!best || *sectors < fewest) {
      best = i;
      fewest = *sectors;
    }
  }
  std::printf("best: %u x %u, %d warps\n", candidates[*best].rows, candidates[*best].columns,
              candidates[*best].numWarps);
  return 0;
}
