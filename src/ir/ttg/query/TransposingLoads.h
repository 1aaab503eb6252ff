//===- TransposingLoads.h - Loads after which lanes exchange elements -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Some targets list copies from global memory to registers that a whole warp does: each lane loads
// neighbours in memory, and what a lane gets is an element each of what several have loaded. In the
// IR that is a tt.load in the layout of its addresses, and a ttg.convert_layout after it, which
// is its only use: the attribute below on both says that the load does the conversion as well.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTG_QUERY_TRANSPOSINGLOADS_H
#define TILEWRIGHT_IR_TTG_QUERY_TRANSPOSINGLOADS_H

#include "ir/ttg/Dialect.h"
#include "target/Target.h"

namespace tilewright::ttg {

/// The copy by which a warp of `target` loads elements of `bits` bits from global memory and
/// exchanges them, as many bytes a lane as the widest load has; null if there is none.
const target::CopyAtom *findTransposingLoad(const target::Target &target, unsigned bits);

/// The layout in which lanes have what they load by `atom` in the layout of `type`, of whose
/// registers the lowest bits are neighbours in memory; null if they are not, or are too few.
mlir::Attribute getTransposedLayout(mlir::RankedTensorType type, const target::CopyAtom &atom);

/// The layout in which `store` stores the block that its source, a load used nowhere else whose
/// lanes take `elements` neighbors at a time, transposes on the way; null if it stores what it is
/// given.
mlir::Attribute findTransposedStore(LocalStoreOp store, unsigned elements,
                                    const target::Target &target);

/// Whether the lowest `bits` bits of the input `dim` of `map` and `otherDim` of `other`, layouts of
/// one shape, move the same elements.
bool beginAlike(const layout::LinearLayout &map, layout::Dim dim, const layout::LinearLayout &other,
                layout::Dim otherDim, unsigned bits);

} // namespace tilewright::ttg

#endif // TILEWRIGHT_IR_TTG_QUERY_TRANSPOSINGLOADS_H
