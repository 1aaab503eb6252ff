//===- WmmaLayout.h - Element positions in WMMA fragments -----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// AMD's RDNA GPUs multiply 16x16 matrices with one instruction of a wave of 32 threads,
// D = A * B + C, each thread holding a part of each matrix in its registers: v_wmma_*_16x16x16 on
// gfx11 (RDNA 3) and gfx12 (RDNA 4). Here is which part, as functions for each generation and
// matrix: forward, from an element to the thread and its local register, and reverse.
//
// The rules, with t the thread and e the local element:
//
//                       gfx11                         gfx12
//     A[M][K]           A[t % 16][e]                  A[t % 16][t / 16 * 8 + e]
//     B[K][N]           B[e][t % 16]                  B[t / 16 * 8 + e][t % 16]
//     C[M][N], D[M][N]  D[t / 16 + e * 2][t % 16]     D[t / 16 * 8 + e][t % 16]
//     locals of A, B    16                            8
//     locals of C, D    8                             8
//
// Row 5 of A, as thread:local by K:
//
//     K         0     1    ...    7     8     9    ...   15
//     gfx11    5:0   5:1   ...   5:7   5:8   5:9   ...   5:15     again in thread 21
//     gfx12    5:0   5:1   ...   5:7  21:0  21:1   ...  21:7
//
// Column 5 of D, as thread:local by M:
//
//     M         0     1     2     3    ...    7     8    ...   15
//     gfx11    5:0  21:0   5:1  21:1   ...  21:3   5:4   ...  21:7
//     gfx12    5:0   5:1   5:2   5:3   ...   5:7  21:0   ...  21:7
//
// A and D differ: a result cannot be used as an operand without moving data.
//
// On gfx11 threads 16 to 31 hold A and B once more. The plain forward maps name the thread in
// 0 to 15; fragmentForward* has a third argument, the copy: thread = that one + 16 * rep.
//
// "Colmajor" functions are for a matrix that is stored transposed: the same registers, with the
// storage's indices i and j in the other order. A thread's elements of A are contiguous in
// memory if A is stored [M][K], those of B if B is stored transposed, [N][K].
//
// Names and cases are those of the module tilelang.intrinsics.wmma_layout, its underscores turned
// to camel case: shared_16x16_to_local_32x8_layout_A_gfx12 is shared16x16ToLocal32x8LayoutAGfx12.
// The maps assign slots of K to threads; on gfx12 the manual numbers the 16-bit slots 4 to 7 and
// 8 to 11 the other way round. A product is the same under any numbering that A and B share.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_WMMALAYOUT_H
#define TILEWRIGHT_WMMALAYOUT_H

#include "tilewright/Expected.h"

#include <string>

namespace tilewright::wmma {

/// A thread of the wave, 0 to 31, and one of its local elements, from 0.
struct ThreadLocal {
  int thread, local;
  friend constexpr bool operator==(ThreadLocal, ThreadLocal) = default;
};

/// An element of a 16x16 tile by the indices of its storage, each 0 to 15.
struct TileIndex {
  int i, j;
  friend constexpr bool operator==(TileIndex, TileIndex) = default;
};

// Arguments of all functions but the getters are within these ranges.

//===----------------------------------------------------------------------------===//
// gfx12, operands: 32 threads, 8 elements each
//===----------------------------------------------------------------------------===//

/// A[i = M][j = K].
constexpr ThreadLocal shared16x16ToLocal32x8LayoutAGfx12(int i, int j) {
  return {j / 8 * 16 + i, j % 8};
}
constexpr TileIndex threadIdSharedAccess32x8To16x16LayoutAGfx12(int threadId, int localId) {
  return {threadId % 16, threadId / 16 * 8 + localId};
}

/// A stored transposed: A_T[i = K][j = M].
constexpr ThreadLocal shared16x16ToLocal32x8LayoutAColmajorGfx12(int i, int j) {
  return {i / 8 * 16 + j, i % 8};
}
constexpr TileIndex threadIdSharedAccess32x8To16x16LayoutAColmajorGfx12(int threadId, int localId) {
  return {threadId / 16 * 8 + localId, threadId % 16};
}

/// B[i = K][j = N].
constexpr ThreadLocal shared16x16ToLocal32x8LayoutBGfx12(int i, int j) {
  return {i / 8 * 16 + j, i % 8};
}
constexpr TileIndex threadIdSharedAccess32x8To16x16LayoutBGfx12(int threadId, int localId) {
  return {threadId / 16 * 8 + localId, threadId % 16};
}

/// B stored transposed: B_T[i = N][j = K].
constexpr ThreadLocal shared16x16ToLocal32x8LayoutBColmajorGfx12(int i, int j) {
  return {j / 8 * 16 + i, j % 8};
}
constexpr TileIndex threadIdSharedAccess32x8To16x16LayoutBColmajorGfx12(int threadId, int localId) {
  return {threadId % 16, threadId / 16 * 8 + localId};
}

//===----------------------------------------------------------------------------===//
// gfx12, result: 32 threads, 8 elements each
//===----------------------------------------------------------------------------===//

/// C and D[i = M][j = N].
constexpr ThreadLocal shared16x16ToLocal32x8LayoutCGfx12(int i, int j) {
  return {i / 8 * 16 + j, i % 8};
}
constexpr TileIndex threadIdSharedAccess32x8To16x16LayoutCGfx12(int threadId, int localId) {
  return {threadId / 16 * 8 + localId, threadId % 16};
}

/// Returns the position in D at which a thread stores its local element.
constexpr TileIndex wmmaStoreIndexMapGfx12(int threadId, int localId) {
  return threadIdSharedAccess32x8To16x16LayoutCGfx12(threadId, localId);
}

//===----------------------------------------------------------------------------===//
// gfx11, operands: 32 threads, 16 elements each, of which threads 16 to 31 are copies
//===----------------------------------------------------------------------------===//

/// A[i = M][j = K]. The thread is the lower of the two that hold the element.
constexpr ThreadLocal shared16x16ToLocal32x16LayoutAGfx11(int i, int j) { return {i, j % 16}; }
constexpr TileIndex threadIdSharedAccess32x16To16x16LayoutAGfx11(int threadId, int localId) {
  return {threadId % 16, localId};
}

/// A stored transposed: A_T[i = K][j = M].
constexpr ThreadLocal shared16x16ToLocal32x16LayoutAColmajorGfx11(int i, int j) {
  return {j, i % 16};
}
constexpr TileIndex threadIdSharedAccess32x16To16x16LayoutAColmajorGfx11(int threadId,
                                                                         int localId) {
  return {localId, threadId % 16};
}

/// B[i = K][j = N].
constexpr ThreadLocal shared16x16ToLocal32x16LayoutBGfx11(int i, int j) { return {j, i % 16}; }
constexpr TileIndex threadIdSharedAccess32x16To16x16LayoutBGfx11(int threadId, int localId) {
  return {localId, threadId % 16};
}

/// B stored transposed: B_T[i = N][j = K].
constexpr ThreadLocal shared16x16ToLocal32x16LayoutBColmajorGfx11(int i, int j) {
  return {i, j % 16};
}
constexpr TileIndex threadIdSharedAccess32x16To16x16LayoutBColmajorGfx11(int threadId,
                                                                         int localId) {
  return {threadId % 16, localId};
}

//===----------------------------------------------------------------------------===//
// gfx11, result: 32 threads, 8 elements each
//===----------------------------------------------------------------------------===//

/// C and D[i = M][j = N].
constexpr ThreadLocal shared16x16ToLocal32x8LayoutCGfx11(int i, int j) {
  return {i % 2 * 16 + j, i / 2};
}
constexpr TileIndex threadIdSharedAccess32x8To16x16LayoutCGfx11(int threadId, int localId) {
  return {threadId / 16 + localId * 2, threadId % 16};
}

/// Returns the position in D at which a thread stores its local element.
constexpr TileIndex wmmaStoreIndexMapGfx11(int threadId, int localId) {
  return threadIdSharedAccess32x8To16x16LayoutCGfx11(threadId, localId);
}

//===----------------------------------------------------------------------------===//
// Fragments: one element, `rep` of its copies, 0 <= rep < getWmmaFragmentReplicateCount
//===----------------------------------------------------------------------------===//

namespace detail {
/// Copies lie 16 threads apart.
constexpr ThreadLocal copyOf(ThreadLocal first, int rep) {
  return {first.thread + 16 * rep, first.local};
}
} // namespace detail

constexpr ThreadLocal fragmentForwardAGfx11(int i, int j, int rep) {
  return detail::copyOf(shared16x16ToLocal32x16LayoutAGfx11(i, j), rep);
}
constexpr ThreadLocal fragmentForwardAColmajorGfx11(int i, int j, int rep) {
  return detail::copyOf(shared16x16ToLocal32x16LayoutAColmajorGfx11(i, j), rep);
}
constexpr ThreadLocal fragmentForwardBGfx11(int i, int j, int rep) {
  return detail::copyOf(shared16x16ToLocal32x16LayoutBGfx11(i, j), rep);
}
constexpr ThreadLocal fragmentForwardBColmajorGfx11(int i, int j, int rep) {
  return detail::copyOf(shared16x16ToLocal32x16LayoutBColmajorGfx11(i, j), rep);
}

/// gfx12 has one copy of everything; these are for callers that treat generations alike.
constexpr ThreadLocal fragmentForwardAGfx12(int i, int j, int rep) {
  return detail::copyOf(shared16x16ToLocal32x8LayoutAGfx12(i, j), rep);
}
constexpr ThreadLocal fragmentForwardAColmajorGfx12(int i, int j, int rep) {
  return detail::copyOf(shared16x16ToLocal32x8LayoutAColmajorGfx12(i, j), rep);
}
constexpr ThreadLocal fragmentForwardBGfx12(int i, int j, int rep) {
  return detail::copyOf(shared16x16ToLocal32x8LayoutBGfx12(i, j), rep);
}
constexpr ThreadLocal fragmentForwardBColmajorGfx12(int i, int j, int rep) {
  return detail::copyOf(shared16x16ToLocal32x8LayoutBColmajorGfx12(i, j), rep);
}

//===----------------------------------------------------------------------------===//
// By generation: rdnaGen is 11 (gfx11) or 12 (gfx12), anything else is an error.
// `transposed`: for a matrix that is stored transposed (the "colmajor" functions).
//===----------------------------------------------------------------------------===//

using ForwardMap = ThreadLocal (*)(int i, int j);
using ReverseMap = TileIndex (*)(int threadId, int localId);
using FragmentForwardMap = ThreadLocal (*)(int i, int j, int rep);

struct LayoutFuncs {
  ForwardMap forward;
  ReverseMap reverse;
};

namespace detail {
template <typename T> Expected<T> byGeneration(int rdnaGen, T gfx11, T gfx12) {
  if (rdnaGen == 11)
    return gfx11;
  if (rdnaGen == 12)
    return gfx12;
  return makeError("there is no WMMA layout for RDNA generation " + std::to_string(rdnaGen),
                   "use 11 for gfx11 or 12 for gfx12");
}
} // namespace detail

inline Expected<LayoutFuncs> getWmmaALayoutFuncs(int rdnaGen, bool transposed) {
  using F = LayoutFuncs;
  if (transposed)
    return detail::byGeneration(rdnaGen,
                                F{shared16x16ToLocal32x16LayoutAColmajorGfx11,
                                  threadIdSharedAccess32x16To16x16LayoutAColmajorGfx11},
                                F{shared16x16ToLocal32x8LayoutAColmajorGfx12,
                                  threadIdSharedAccess32x8To16x16LayoutAColmajorGfx12});
  return detail::byGeneration(
      rdnaGen, F{shared16x16ToLocal32x16LayoutAGfx11, threadIdSharedAccess32x16To16x16LayoutAGfx11},
      F{shared16x16ToLocal32x8LayoutAGfx12, threadIdSharedAccess32x8To16x16LayoutAGfx12});
}

inline Expected<LayoutFuncs> getWmmaBLayoutFuncs(int rdnaGen, bool transposed) {
  using F = LayoutFuncs;
  if (transposed)
    return detail::byGeneration(rdnaGen,
                                F{shared16x16ToLocal32x16LayoutBColmajorGfx11,
                                  threadIdSharedAccess32x16To16x16LayoutBColmajorGfx11},
                                F{shared16x16ToLocal32x8LayoutBColmajorGfx12,
                                  threadIdSharedAccess32x8To16x16LayoutBColmajorGfx12});
  return detail::byGeneration(
      rdnaGen, F{shared16x16ToLocal32x16LayoutBGfx11, threadIdSharedAccess32x16To16x16LayoutBGfx11},
      F{shared16x16ToLocal32x8LayoutBGfx12, threadIdSharedAccess32x8To16x16LayoutBGfx12});
}

inline Expected<LayoutFuncs> getWmmaCLayoutFuncs(int rdnaGen) {
  using F = LayoutFuncs;
  return detail::byGeneration(
      rdnaGen, F{shared16x16ToLocal32x8LayoutCGfx11, threadIdSharedAccess32x8To16x16LayoutCGfx11},
      F{shared16x16ToLocal32x8LayoutCGfx12, threadIdSharedAccess32x8To16x16LayoutCGfx12});
}

inline Expected<ReverseMap> getWmmaStoreIndexMapFunc(int rdnaGen) {
  return detail::byGeneration<ReverseMap>(rdnaGen, wmmaStoreIndexMapGfx11, wmmaStoreIndexMapGfx12);
}

inline Expected<FragmentForwardMap> getWmmaAFragmentForwardFunc(int rdnaGen, bool transposed) {
  if (transposed)
    return detail::byGeneration<FragmentForwardMap>(rdnaGen, fragmentForwardAColmajorGfx11,
                                                    fragmentForwardAColmajorGfx12);
  return detail::byGeneration<FragmentForwardMap>(rdnaGen, fragmentForwardAGfx11,
                                                  fragmentForwardAGfx12);
}

inline Expected<FragmentForwardMap> getWmmaBFragmentForwardFunc(int rdnaGen, bool transposed) {
  if (transposed)
    return detail::byGeneration<FragmentForwardMap>(rdnaGen, fragmentForwardBColmajorGfx11,
                                                    fragmentForwardBColmajorGfx12);
  return detail::byGeneration<FragmentForwardMap>(rdnaGen, fragmentForwardBGfx11,
                                                  fragmentForwardBGfx12);
}

/// How many threads hold an element of A or B: 2 on gfx11, 1 on gfx12.
inline Expected<int> getWmmaFragmentReplicateCount(int rdnaGen) {
  return detail::byGeneration(rdnaGen, 2, 1);
}

} // namespace tilewright::wmma

#endif // TILEWRIGHT_WMMALAYOUT_H
