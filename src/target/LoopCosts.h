//===- LoopCosts.h - Costs of a loop's buffers, barriers and loads --*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A loop has more stages or more resident blocks, one barrier or two, loads ahead or a
// multiprocessor that does not wait for memory anyway. These are the figures by which passes
// choose. The defaults are measured on an H200 (bench/notes/pipelining.md, "How many stages");
// targets that nobody measured have them as well.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TARGET_LOOPCOSTS_H
#define TILEWRIGHT_TARGET_LOOPCOSTS_H

namespace tilewright::target {

struct LoopCosts {
  //===--------------------------------------------------------------------------===//
  // Stages and buffers (transform/pipeline/schedule/StageChoice.h), in percents of an iteration
  //===--------------------------------------------------------------------------===//

  /// A warp that is not resident, of those with which a multiprocessor is busy.
  int warp = 100;
  /// A copy less under way, of a block alone and of one among others, which compute meanwhile.
  int copyAlone = 15;
  int copyAmongOthers = 1;
  /// A second barrier in an iteration; in one with elements of fewer than 16 bits, which is half as
  /// long.
  int barrier = 8;
  int narrowBarrier = 23;

  /// Groups of warps that keep a matrix unit busy by sums of products: two where those of an
  /// iteration take 256 cycles, more where they take fewer.
  unsigned minProductGroups = 2;
  unsigned cyclesOfProductGroups = 2 * 256;

  //===--------------------------------------------------------------------------===//
  // Loads an iteration ahead in registers (transform/locality/PrefetchLoads.cpp)
  //===--------------------------------------------------------------------------===//

  /// Float operations of a thread for each element that it loads, from which on loading ahead pays.
  /// Below that threads wait for the unit that loads.
  unsigned minFlopsPerLoad = 4;
  /// The same of the block for each byte that comes to it. Below that threads wait for memory, of
  /// which they get no more by asking earlier, and fewer of them are resident with the registers
  /// that it takes. A multiprocessor of an H100 does 128 float operations a cycle, and its
  /// second-level cache brings it 24 bytes (5.6 TB/s): 5 a byte.
  unsigned minFlopsPerByte = 6;
};

} // namespace tilewright::target

#endif // TILEWRIGHT_TARGET_LOOPCOSTS_H
