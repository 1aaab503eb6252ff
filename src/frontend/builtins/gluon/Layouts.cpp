//===- Layouts.cpp - Builtins of Gluon: layouts -------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A layout is the encoding that it stands for. What an encoding's own rules say of it is checked
// where the layout is made, so that the error stands there.
//
//===--------------------------------------------------------------------------===//

#include "frontend/builtins/gluon/Gluon.h"

#include "ir/gluon/Dialect.h"
#include "llvm/Support/MathExtras.h"

using namespace tilewright;
using namespace tilewright::frontend;

static Value autoLayout(Arguments &arguments) {
  return Value::ofLayout(gluon::AutoEncodingAttr::get(arguments.tb.builder.getContext()));
}

static Value coalescedLayout(Arguments &arguments) {
  return Value::ofLayout(gluon::CoalescedEncodingAttr::get(arguments.tb.builder.getContext()));
}

static Value blockedLayout(Arguments &arguments) {
  layout::Blocked blocked;
  if (!numbersOf(arguments, 0, blocked.sizePerThread) ||
      !numbersOf(arguments, 1, blocked.threadsPerWarp) ||
      !numbersOf(arguments, 2, blocked.warpsPerCTA) || !numbersOf(arguments, 3, blocked.order) ||
      !basesOf(arguments, 4, blocked.rank(), blocked.cluster))
    return {};
  return layoutIf(arguments, layout::verify(blocked, blocked.rank()), [&] {
    return ttg::BlockedEncodingAttr::get(arguments.tb.builder.getContext(), blocked);
  });
}

/// The argument as a layout with a map, of which another one is made.
static tt::LayoutEncoding parentLayout(const Arguments &arguments, size_t index) {
  std::optional<mlir::Attribute> layout = distributedLayout(arguments, index);
  if (!layout)
    return {};
  auto parent = llvm::dyn_cast<tt::LayoutEncoding>(*layout);
  if (!parent)
    arguments.fail(index, "must be a layout that is decided, not " + reprOfLayout(*layout));
  return parent;
}

static Value sliceLayout(Arguments &arguments) {
  std::optional<unsigned> dim = numberOf(arguments, 0);
  tt::LayoutEncoding parent = dim ? parentLayout(arguments, 1) : tt::LayoutEncoding();
  if (!parent)
    return {};
  if (*dim >= parent.getRank() || parent.getRank() < 2)
    return arguments.fail(
        0,
        "is " + llvm::Twine(*dim) + ", but the parent has " + llvm::Twine(parent.getRank()) +
            (parent.getRank() == 1 ? " dimension" : " dimensions"),
        parent.getRank() < 2 ? "a slice has a dimension less than its parent, and at least one"
                             : "write a number from 0 to " + std::to_string(parent.getRank() - 1));
  return Value::ofLayout(ttg::SliceEncodingAttr::get(*dim, parent));
}

static Value linearLayout(Arguments &arguments) {
  std::vector<unsigned> shape;
  if (!numbersOf(arguments, 4, shape))
    return {};
  const auto rank = static_cast<unsigned>(shape.size());
  layout::Linear linear;
  if (!basesOf(arguments, 0, rank, linear.registers) ||
      !basesOf(arguments, 1, rank, linear.lanes) || !basesOf(arguments, 2, rank, linear.warps) ||
      !basesOf(arguments, 3, rank, linear.blocks))
    return {};
  // Every element must be somewhere.
  std::vector<unsigned> reached(rank, 0);
  for (const layout::LiteralBases *bases :
       {&linear.registers, &linear.lanes, &linear.warps, &linear.blocks})
    for (const std::vector<unsigned> &basis : *bases)
      for (unsigned d = 0; d < rank; ++d)
        reached[d] |= basis[d];
  for (unsigned d = 0; d < rank; ++d)
    if (reached[d] + 1 != shape[d])
      return arguments.fail(
          4,
          "is " + llvm::Twine(shape[d]) + " in dimension " + llvm::Twine(d) +
              ", but the bases reach " + llvm::Twine(reached[d] + 1) + " elements there",
          reached[d] + 1 < shape[d]
              ? "the basis " + std::to_string(llvm::bit_floor((shape[d] - 1) & ~reached[d])) +
                    " of that dimension is missing"
              : "");
  mlir::MLIRContext *context = arguments.tb.builder.getContext();
  if (Result<void> plain = layout::verify(linear, rank); plain)
    return Value::ofLayout(ttg::LinearEncodingAttr::get(context, rank, linear));
  return layoutIf(arguments, layout::verify(linear, rank, /*generic=*/true),
                  [&] { return ttg::GenericLinearEncodingAttr::get(context, rank, linear); });
}

static Value dotOperandLayout(Arguments &arguments) {
  std::optional<unsigned> index = numberOf(arguments, 0);
  tt::LayoutEncoding layout = index ? parentLayout(arguments, 1) : tt::LayoutEncoding();
  std::optional<unsigned> width = layout ? numberOf(arguments, 2, 0) : std::nullopt;
  if (!width)
    return {};
  auto parent = llvm::dyn_cast<ttg::DotOperandParent>(mlir::Attribute(layout));
  if (!parent)
    return arguments.fail(1, "must be the layout of a product, not " + reprOfLayout(layout),
                          "BlockedLayout, NVMMADistributedLayout, AMDMFMALayout or AMDWMMALayout");
  if (*index > 1)
    return arguments.fail(0, "is " + llvm::Twine(*index) + ", and a product has operands 0 and 1");
  return layoutIf(arguments, parent.verifyOperand(*index, *width), [&] {
    return ttg::DotOperandEncodingAttr::get(layout.getContext(), *index, parent, *width);
  });
}

static Value mmaLayout(Arguments &arguments) {
  std::vector<unsigned> version;
  layout::nvidia::Mma mma;
  if (!numbersOf(arguments, 0, version) || !numbersOf(arguments, 1, mma.warpsPerCTA) ||
      !numbersOf(arguments, 2, mma.instrShape) ||
      !basesOf(arguments, 3, static_cast<unsigned>(mma.warpsPerCTA.size()), mma.cluster))
    return {};
  if (version.size() != 2)
    return arguments.fail(0, "must be two numbers, such as [2, 0] or [3, 0]");
  mma.versionMajor = version[0];
  mma.versionMinor = version[1];
  return layoutIf(arguments, layout::nvidia::verify(mma), [&] {
    return ttg::NvidiaMmaEncodingAttr::get(arguments.tb.builder.getContext(), mma);
  });
}

//===--------------------------------------------------------------------------===//
// Shared memory
//===--------------------------------------------------------------------------===//

static Value layoutOf(const Arguments &arguments, const layout::nvidia::NvmmaShared &shared) {
  return layoutIf(arguments, layout::nvidia::verify(shared), [&] {
    return ttg::NvmmaSharedEncodingAttr::get(arguments.tb.builder.getContext(), shared);
  });
}

static Value nvmmaSharedLayout(Arguments &arguments) {
  layout::nvidia::NvmmaShared shared;
  std::optional<unsigned> swizzle = numberOf(arguments, 0), bits = numberOf(arguments, 1),
                          rank = numberOf(arguments, 2, 2);
  std::optional<bool> transposed = arguments.flag(3, false), padded = arguments.flag(4, false);
  if (!swizzle || !bits || !rank || !transposed || !padded ||
      !basesOf(arguments, 5, *rank, shared.cluster))
    return {};
  shared.swizzlingByteWidth = *swizzle;
  shared.elementBitWidth = *bits;
  shared.rank = *rank;
  shared.transposed = *transposed;
  shared.fp4Padded = *padded;
  return layoutOf(arguments, shared);
}

/// NVMMASharedLayout.get_default_for: the widest swizzle that rows of the block fill, which need
/// the fewest copies and products of the hardware; none for fewer than 8 rows.
static Value defaultNvmmaSharedLayout(Arguments &arguments) {
  llvm::SmallVector<int64_t> shape;
  std::optional<DType> type = arguments.type(1);
  std::optional<bool> transposed = arguments.flag(2, false), padded = arguments.flag(3, false);
  layout::nvidia::NvmmaShared shared;
  if (!type || !transposed || !padded || !arguments.shape(0, shape) || shape.empty() ||
      !basesOf(arguments, 4, static_cast<unsigned>(shape.size()), shared.cluster))
    return {};
  shared.rank = static_cast<unsigned>(shape.size());
  shared.elementBitWidth = type->bits();
  shared.transposed = *transposed;
  shared.fp4Padded = *padded;
  if (!shared.cluster.empty()) {
    const std::vector<int64_t> part = layout::shapePerBlock(shape, shared.cluster);
    shape.assign(part.begin(), part.end());
  }
  if (*transposed)
    std::rotate(shape.begin(), shape.begin() + 1, shape.end());
  const int64_t bytes = shape.back() * (*padded ? 2 : 1) * type->bits() / 8;
  int64_t rows = 1;
  for (int64_t size : llvm::ArrayRef(shape).drop_back())
    rows *= size;
  if (shape.size() >= 2 && rows >= 8)
    for (unsigned width : {128, 64, 32})
      if (bytes >= width && bytes % width == 0) {
        shared.swizzlingByteWidth = width;
        break;
      }
  return layoutOf(arguments, shared);
}

static Value layoutOf(const Arguments &arguments, const layout::SwizzledShared &shared) {
  return layoutIf(arguments, layout::verify(shared, shared.rank()), [&] {
    return ttg::SwizzledSharedEncodingAttr::get(arguments.tb.builder.getContext(), shared);
  });
}

static Value swizzledSharedLayout(Arguments &arguments) {
  layout::SwizzledShared shared;
  std::optional<unsigned> vec = numberOf(arguments, 0), perPhase = numberOf(arguments, 1),
                          maxPhase = numberOf(arguments, 2);
  if (!vec || !perPhase || !maxPhase || !numbersOf(arguments, 3, shared.order) ||
      !basesOf(arguments, 4, shared.rank(), shared.cluster))
    return {};
  shared.vec = *vec;
  shared.perPhase = *perPhase;
  shared.maxPhase = *maxPhase;
  return layoutOf(arguments, shared);
}

/// mbarrier.MBarrierLayout: of memory for barriers, one number after the other.
static Value barrierLayout(Arguments &arguments) {
  layout::SwizzledShared shared;
  shared.order = {0};
  return basesOf(arguments, 0, 1, shared.cluster) ? layoutOf(arguments, shared) : Value();
}

static Value paddedLayout(Arguments &arguments, const Value &pairs, unsigned rank,
                          layout::PaddedShared shared) {
  if (!pairs.isTuple() || pairs.elements->empty())
    return arguments.fail(0,
                          "must be a list of pairs [interval, padding], not " + pairs.describe());
  layout::LiteralBases numbers;
  if (!basesOf(arguments, 0, 2, numbers))
    return {};
  for (const std::vector<unsigned> &pair : numbers) {
    shared.intervals.push_back(pair[0]);
    shared.paddings.push_back(pair[1]);
  }
  return layoutIf(arguments, layout::verify(shared, rank), [&] {
    return ttg::PaddedSharedEncodingAttr::get(arguments.tb.builder.getContext(), rank, shared);
  });
}

static Value paddedSharedLayout(Arguments &arguments) {
  std::vector<unsigned> shape;
  layout::PaddedShared shared;
  if (!numbersOf(arguments, 3, shape))
    return {};
  const auto rank = static_cast<unsigned>(shape.size());
  if (!basesOf(arguments, 1, rank, shared.offsets) || !basesOf(arguments, 2, rank, shared.blocks))
    return {};
  return paddedLayout(arguments, arguments[0], rank, std::move(shared));
}

/// PaddedSharedLayout.with_identity_for: the elements in the given order of the dimensions.
static Value paddedIdentityLayout(Arguments &arguments) {
  std::vector<unsigned> shape, order;
  if (!numbersOf(arguments, 1, shape) || !numbersOf(arguments, 2, order))
    return {};
  const auto rank = static_cast<unsigned>(shape.size());
  if (Result<void> isOrder = layout::verifyOrder(order, rank); !isOrder)
    return arguments.fail(2, "is no order of the dimensions: " + isOrder.error());
  layout::PaddedShared shared;
  for (unsigned dim : order) {
    if (!llvm::isPowerOf2_32(shape[dim]))
      return arguments.fail(1, "has the size " + llvm::Twine(shape[dim]) +
                                   ", which is no power of two");
    for (unsigned bit = 1; bit < shape[dim]; bit *= 2) {
      shared.offsets.emplace_back(rank, 0);
      shared.offsets.back()[dim] = bit;
    }
  }
  return paddedLayout(arguments, arguments[0], rank, std::move(shared));
}

static Value sharedLinearLayout(Arguments &arguments) {
  const Value &offsets = arguments[0];
  if (!offsets.isTuple() || offsets.elements->empty() || !offsets.elements->front().isTuple())
    return arguments.fail(0, "must be a list of bases, not " + offsets.describe());
  const auto rank = static_cast<unsigned>(offsets.elements->front().elements->size());
  layout::SharedLinear shared;
  std::optional<unsigned> alignment = numberOf(arguments, 2, 16);
  if (!alignment || !basesOf(arguments, 0, rank, shared.offsets) ||
      !basesOf(arguments, 1, rank, shared.blocks))
    return {};
  shared.alignment = *alignment;
  return layoutIf(arguments, layout::verify(shared, rank), [&] {
    return ttg::SharedLinearEncodingAttr::get(arguments.tb.builder.getContext(), rank, shared);
  });
}

llvm::ArrayRef<Builtin> frontend::gluonLayoutBuiltins() {
  static constexpr Builtin builtins[] = {
      {"AutoLayout", "", autoLayout, ConstantOnly},
      {"CoalescedLayout", "", coalescedLayout, ConstantOnly},
      {"BlockedLayout", "size_per_thread threads_per_warp warps_per_cta order cga_layout?",
       blockedLayout, ConstantOnly},
      {"SliceLayout", "dim parent", sliceLayout, ConstantOnly},
      {"DistributedLinearLayout", "reg_bases lane_bases warp_bases block_bases shape", linearLayout,
       ConstantOnly},
      {"DotOperandLayout", "operand_index parent k_width", dotOperandLayout, ConstantOnly},
      {"NVMMADistributedLayout", "version warps_per_cta instr_shape cga_layout?", mmaLayout,
       ConstantOnly},
      {"NVMMASharedLayout",
       "swizzle_byte_width element_bitwidth rank? transposed? fp4_padded? cga_layout?",
       nvmmaSharedLayout, ConstantOnly},
      {"NVMMASharedLayout.get_default_for", "block_shape dtype transposed? fp4_padded? cga_layout?",
       defaultNvmmaSharedLayout, ConstantOnly},
      {"SwizzledSharedLayout", "vec per_phase max_phase order cga_layout?", swizzledSharedLayout,
       ConstantOnly},
      {"PaddedSharedLayout", "interval_padding_pairs offset_bases block_bases shape",
       paddedSharedLayout, ConstantOnly},
      {"PaddedSharedLayout.with_identity_for", "interval_padding_pairs shape order",
       paddedIdentityLayout, ConstantOnly},
      {"SharedLinearLayout", "offset_bases block_bases? alignment?", sharedLinearLayout,
       ConstantOnly},
      {"MBarrierLayout", "cga_layout?", barrierLayout, ConstantOnly},
  };
  return builtins;
}
