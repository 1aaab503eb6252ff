//===- EncodingHash.h - Hashes of the layouts that encodings hold ---*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// An encoding attribute holds the layout library's structure as its only parameter, or beside the
// number of dimensions where the structure does not tell it. MLIR makes attributes unique by hash
// and equality; equality is the structure's own, the hashes are here, as layout knows no LLVM.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_ENCODINGHASH_H
#define TILEWRIGHT_IR_ENCODINGHASH_H

#include "layout/encoding/AmdMfma.h"
#include "layout/encoding/AmdWmma.h"
#include "layout/encoding/Encodings.h"
#include "layout/encoding/IntelDpas.h"
#include "layout/encoding/NvidiaMma.h"
#include "layout/encoding/SharedEncodings.h"
#include "llvm/ADT/Hashing.h"

namespace tilewright::ir {

inline llvm::hash_code hashMember(unsigned value) { return llvm::hash_value(value); }
inline llvm::hash_code hashMember(const std::vector<unsigned> &list) {
  return llvm::hash_combine_range(list);
}
inline llvm::hash_code hashMember(const std::vector<std::vector<unsigned>> &bases) {
  llvm::hash_code hash = llvm::hash_value(bases.size());
  for (const std::vector<unsigned> &basis : bases)
    hash = llvm::hash_combine(hash, hashMember(basis));
  return hash;
}
template <typename... Members> llvm::hash_code hashMembers(const Members &...members) {
  return llvm::hash_combine(hashMember(members)...);
}

} // namespace tilewright::ir

namespace tilewright::layout {

inline llvm::hash_code hash_value(const Blocked &blocked) {
  return ir::hashMembers(blocked.sizePerThread, blocked.threadsPerWarp, blocked.warpsPerCTA,
                         blocked.order, blocked.cluster);
}
inline llvm::hash_code hash_value(const Linear &linear) {
  return ir::hashMembers(linear.registers, linear.lanes, linear.warps, linear.blocks);
}
inline llvm::hash_code hash_value(const SwizzledShared &shared) {
  return ir::hashMembers(shared.vec, shared.perPhase, shared.maxPhase, shared.order,
                         shared.cluster);
}
inline llvm::hash_code hash_value(const SharedLinear &shared) {
  return ir::hashMembers(shared.offsets, shared.blocks, shared.alignment);
}
inline llvm::hash_code hash_value(const PaddedShared &shared) {
  return ir::hashMembers(shared.intervals, shared.paddings, shared.offsets, shared.blocks);
}

namespace nvidia {
inline llvm::hash_code hash_value(const Mma &mma) {
  return ir::hashMembers(mma.versionMajor, mma.versionMinor, mma.warpsPerCTA, mma.instrShape,
                         mma.cluster);
}
inline llvm::hash_code hash_value(const NvmmaShared &shared) {
  return ir::hashMembers(shared.swizzlingByteWidth, shared.transposed, shared.elementBitWidth,
                         shared.fp4Padded, shared.rank, shared.cluster);
}
} // namespace nvidia

namespace amd {
inline llvm::hash_code hash_value(const Wmma &wmma) {
  return ir::hashMembers(wmma.version, wmma.isTranspose, wmma.registers, wmma.warps, wmma.cluster,
                         wmma.instrShape, wmma.rank);
}
inline llvm::hash_code hash_value(const Mfma &mfma) {
  return ir::hashMembers(mfma.version, mfma.warpsPerCTA, mfma.instrShape, mfma.isTransposed,
                         mfma.cluster, mfma.tilesPerWarp, mfma.elementBitWidth);
}
inline llvm::hash_code hash_value(const RotatingShared &shared) {
  return ir::hashMembers(shared.vec, shared.perPhase, shared.maxPhase, shared.order,
                         shared.cluster);
}
} // namespace amd

namespace intel {
inline llvm::hash_code hash_value(const Dpas &dpas) {
  return ir::hashMembers(dpas.repeatCount, dpas.systolicDepth, dpas.executionSize, dpas.opsPerChan,
                         dpas.fp4KPack, dpas.threadsPerWarp, dpas.warpsPerCTA, dpas.repCluster);
}
} // namespace intel

} // namespace tilewright::layout

#endif // TILEWRIGHT_IR_ENCODINGHASH_H
