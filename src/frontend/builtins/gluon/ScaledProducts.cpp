//===- ScaledProducts.cpp - Builtins of Gluon: CDNA4's scaled products --------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/builtins/gluon/Gluon.h"

#include "llvm/Support/MathExtras.h"

using namespace tilewright;
using namespace tilewright::frontend;
using mlir::Attribute;

/// The layout of the scales of an operand, in the shape [rows or columns of the product, K / 32],
/// in which each lane has those of the elements that it multiplies: of an instruction of 16 rows 4
/// lanes share K, of one of 32 rows 2. (AMD CDNA4 ISA, V_MFMA_SCALE_F32_16X16X128_F8F6F4; as Triton
/// 3.6 has it.) Null where the parent is no MFMA layout.
static Attribute scaleLayoutOf(ttg::DotOperandEncodingAttr operand, llvm::ArrayRef<int64_t> shape) {
  auto parent = llvm::dyn_cast<ttg::AmdMfmaEncodingAttr>(mlir::Attribute(operand.getParent()));
  if (!parent)
    return {};
  const layout::amd::Mfma &mfma = parent.getLayout();
  const unsigned side = operand.getOpIdx(), rows = mfma.instrShape[0];
  const unsigned lanesAlongK = 64 / rows;
  layout::Linear linear;
  const auto bases = [](layout::LiteralBases &into, unsigned dim, unsigned from, uint64_t to) {
    for (unsigned value = from; value < to; value *= 2) {
      std::vector<unsigned> &basis = into.emplace_back(2, 0u);
      basis[dim] = value;
    }
  };
  bases(linear.registers, 1, lanesAlongK, static_cast<uint64_t>(shape[1]));
  const unsigned tile = rows * mfma.tilesPerWarp[side];
  bases(linear.registers, 0, rows, tile);
  bases(linear.lanes, 0, 1, rows);
  bases(linear.lanes, 1, 1, lanesAlongK);
  // The warps of the other side have copies; those that count fastest are the last dimension's.
  const unsigned own = mfma.warpsPerCTA[side], others = mfma.warpsPerCTA[1 - side];
  const layout::LiteralBases copies(llvm::Log2_32(others), std::vector<unsigned>{0, 0});
  if (side == 0)
    linear.warps = copies;
  bases(linear.warps, 0, tile, uint64_t(tile) * own);
  if (side == 1)
    linear.warps.insert(linear.warps.end(), copies.begin(), copies.end());
  // Bases beyond the shape are copies; further rows are in further registers.
  for (layout::LiteralBases *list : {&linear.registers, &linear.lanes, &linear.warps})
    for (std::vector<unsigned> &basis : *list)
      for (unsigned dim : {0u, 1u})
        if (basis[dim] >= static_cast<uint64_t>(shape[dim]))
          basis[dim] = 0;
  llvm::erase_if(linear.registers, [](const std::vector<unsigned> &basis) {
    return basis == std::vector<unsigned>{0, 0};
  });
  bases(linear.registers, 0, tile * own, static_cast<uint64_t>(shape[0]));
  return layout::verify(linear, 2)
             ? Attribute(ttg::LinearEncodingAttr::get(operand.getContext(), 2, linear))
             : Attribute();
}

/// dot_operand_layout, shape.
static Value scaleLayout(Arguments &arguments) {
  const Value &given = arguments[0];
  llvm::SmallVector<int64_t> shape;
  auto operand = llvm::dyn_cast_if_present<ttg::DotOperandEncodingAttr>(given.layout);
  if (!operand)
    return arguments.fail(0, "must be a DotOperandLayout, not " + given.describe());
  if (!arguments.shape(1, shape))
    return {};
  if (shape.size() != 2 || !llvm::isPowerOf2_64(shape[0]) || !llvm::isPowerOf2_64(shape[1]))
    return arguments.fail(1, "must be two powers of two: the rows or columns of the product, and "
                             "K / 32");
  const Attribute layout = scaleLayoutOf(operand, shape);
  if (!layout)
    return arguments.fail(0, "must have an AMDMFMALayout as its parent, not " + given.repr());
  return Value::ofLayout(layout);
}

/// The scales of the operand that is argument `index`: given, or all alike.
static Value scalesOf(Arguments &arguments, size_t index, unsigned side, bool packed) {
  TritonBuilder &tb = arguments.tb;
  const Value &operand = arguments[index], &scale = arguments[index + 1];
  const int64_t k = operand.shape()[side == 0 ? 1 : 0] * (packed ? 2 : 1);
  const int64_t shape[] = {operand.shape()[side == 0 ? 0 : 1], k / 32};
  if (scale.isBlock()) {
    int64_t elements = 1;
    for (int64_t size : scale.shape())
      elements *= size;
    if (elements != 1) {
      if (elements != shape[0] * shape[1])
        return arguments.fail(index + 1, "must be " + describeShape(shape) +
                                             ", one for each 32 "
                                             "elements along K, not " +
                                             describeShape(scale.shape()));
      return scale;
    }
  }
  const Value value = scale.isNone() ? Value::ofInteger(0x7f) : tb.onlyElement(scale);
  if (!value || !(value.isNumber() || value.isTensor()))
    return arguments.fail(index + 1, "must be a tensor of scales, one of them or None, not " +
                                         scale.describe());
  const Attribute layout =
      scaleLayoutOf(llvm::cast<ttg::DotOperandEncodingAttr>(operand.encoding()), shape);
  if (!layout)
    return arguments.fail(index, "is in a layout that has none for its scales: " +
                                     reprOfLayout(operand.encoding()));
  const DType type{ScalarKind::UInt8};
  if (value.isNumber())
    return tb.constant(value, type, shape, layout);
  Value one = tb.cast(value, type);
  return one ? tb.broadcastTo(one, shape, "mfma_scaled", layout) : Value();
}

/// a, a_scale, a_format, b, b_scale, b_format, acc.
static Value scaledProduct(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  const Value &acc = arguments[6];
  const Attribute layout = acc.isBlock() ? acc.encoding() : Attribute();
  if (!llvm::isa_and_nonnull<ttg::AmdMfmaEncodingAttr>(layout))
    return arguments.fail(6, "must be a tensor in an AMDMFMALayout, not " +
                                 (layout ? reprOfLayout(layout) : acc.describe()));
  Value scales[2];
  for (unsigned side : {0u, 1u}) {
    const size_t index = 3 * side;
    const Value &operand = arguments[index];
    auto own = operand.isBlock() ? llvm::dyn_cast<ttg::DotOperandEncodingAttr>(operand.encoding())
                                 : ttg::DotOperandEncodingAttr();
    if (!own || own.getOpIdx() != side || Attribute(own.getParent()) != layout)
      return arguments.fail(index,
                            "must be a tensor in DotOperandLayout(" + llvm::Twine(side) +
                                ", parent, k_width) with the accumulator's layout as "
                                "parent",
                            "the accumulator has " + reprOfLayout(layout));
    std::optional<std::string> format = arguments.string(index + 2);
    if (!format)
      return {};
    if (*format != "e2m1" && *format != "e4m3" && *format != "e5m2")
      return arguments.fail(index + 2, "is \"" + *format + "\", which is no format",
                            "write \"e2m1\", \"e4m3\" or \"e5m2\"");
    if (operand.shape().size() != 2)
      return arguments.fail(index, "must have 2 dimensions, not " + operand.describe());
    scales[side] = scalesOf(arguments, index, side, *format == "e2m1");
    if (!scales[side])
      return {};
  }
  const SourceSpan here = tb.here();
  return callLanguage(arguments, "dot_scaled",
                      {{"lhs", arguments[0], here},
                       {"lhs_scale", scales[0], here},
                       {"lhs_format", arguments[2], here},
                       {"rhs", arguments[3], here},
                       {"rhs_scale", scales[1], here},
                       {"rhs_format", arguments[5], here},
                       {"acc", acc, here}});
}

llvm::ArrayRef<Builtin> frontend::gluonScaledProductBuiltins() {
  static constexpr Builtin builtins[] = {
      {"mfma_scaled", "a a_scale a_format b b_scale b_format acc", scaledProduct},
      {"get_mfma_scale_layout", "dot_operand_layout shape", scaleLayout, ConstantOnly},
  };
  return builtins;
}
