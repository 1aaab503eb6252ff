//===- Layouts.cpp - Encodings as Gluon's layouts -----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/value/Layouts.h"

#include "ir/gluon/Dialect.h"
#include "ir/ttng/Dialect.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

namespace {
struct Field {
  StringRef name;
  Value value;
};
/// A layout with the fields that its class has, in their order.
struct Fields {
  StringRef className;
  std::vector<Field> all;
};
} // namespace

//===--------------------------------------------------------------------------===//
// Lists of numbers, as Python has them
//===--------------------------------------------------------------------------===//

static Value listOf(llvm::ArrayRef<unsigned> numbers) {
  std::vector<Value> elements;
  for (unsigned number : numbers)
    elements.push_back(Value::ofInteger(number));
  return Value::list(std::move(elements));
}

static Value listOf(const layout::LiteralBases &bases) {
  std::vector<Value> elements;
  for (const std::vector<unsigned> &basis : bases)
    elements.push_back(listOf(llvm::ArrayRef(basis)));
  return Value::list(std::move(elements));
}

/// The sizes that bases reach, dimension by dimension.
static Value shapeOf(unsigned rank, std::initializer_list<const layout::LiteralBases *> lists) {
  std::vector<unsigned> sizes(rank, 1);
  for (const layout::LiteralBases *bases : lists)
    for (const std::vector<unsigned> &basis : *bases)
      for (unsigned d = 0; d < rank; ++d)
        sizes[d] = std::max<unsigned>(sizes[d], llvm::NextPowerOf2(basis[d]));
  return listOf(llvm::ArrayRef(sizes));
}

//===--------------------------------------------------------------------------===//
// The fields of each class
//===--------------------------------------------------------------------------===//

static Fields fieldsOf(ttg::NvmmaSharedEncodingAttr encoding) {
  const layout::nvidia::NvmmaShared &shared = encoding.getLayout();
  return {"NVMMASharedLayout",
          {{"swizzle_byte_width", Value::ofInteger(shared.swizzlingByteWidth)},
           {"element_bitwidth", Value::ofInteger(shared.elementBitWidth)},
           {"rank", Value::ofInteger(shared.rank)},
           {"transposed", Value::boolean(shared.transposed)},
           {"fp4_padded", Value::boolean(shared.fp4Padded)},
           {"cga_layout", listOf(shared.cluster)}}};
}

static Fields fieldsOf(ttg::PaddedSharedEncodingAttr encoding) {
  const layout::PaddedShared &shared = encoding.getLayout();
  std::vector<Value> pairs;
  for (auto [interval, padding] : llvm::zip_equal(shared.intervals, shared.paddings))
    pairs.push_back(listOf(llvm::ArrayRef<unsigned>{interval, padding}));
  return {"PaddedSharedLayout",
          {{"interval_padding_pairs", Value::list(std::move(pairs))},
           {"offset_bases", listOf(shared.offsets)},
           {"block_bases", listOf(shared.blocks)},
           {"shape", shapeOf(encoding.getRank(), {&shared.offsets, &shared.blocks})}}};
}

static Fields linearFields(unsigned rank, const layout::Linear &linear) {
  return {"DistributedLinearLayout",
          {{"reg_bases", listOf(linear.registers)},
           {"lane_bases", listOf(linear.lanes)},
           {"warp_bases", listOf(linear.warps)},
           {"block_bases", listOf(linear.blocks)},
           {"shape",
            shapeOf(rank, {&linear.registers, &linear.lanes, &linear.warps, &linear.blocks})}}};
}

static Fields fieldsOf(ttng::TensorMemoryEncodingAttr encoding) {
  const bool isSplit = encoding.getCTASplitM() > 1 || encoding.getCTASplitN() > 1;
  return {"TensorMemoryLayout",
          {{"block", Value::tuple({Value::ofInteger(encoding.getBlockM()),
                                   Value::ofInteger(encoding.getBlockN())})},
           {"col_stride", Value::ofInteger(encoding.getColStride())},
           {"cta_split_num", isSplit ? Value::tuple({Value::ofInteger(encoding.getCTASplitM()),
                                                     Value::ofInteger(encoding.getCTASplitN())})
                                     : Value::none()},
           {"two_ctas", Value::boolean(encoding.getTwoCTAs())}}};
}

static Fields fieldsOf(ttg::AmdMfmaEncodingAttr encoding) {
  const layout::amd::Mfma &mfma = encoding.getLayout();
  return {"AMDMFMALayout",
          {{"version", Value::ofInteger(mfma.version)},
           {"instr_shape", listOf(llvm::ArrayRef(mfma.instrShape))},
           {"transposed", Value::boolean(mfma.isTransposed)},
           {"warps_per_cta", listOf(llvm::ArrayRef(mfma.warpsPerCTA))},
           {"element_bitwidth", Value::ofInteger(mfma.elementBitWidth)},
           {"tiles_per_warp", listOf(llvm::ArrayRef(mfma.tilesPerWarp))},
           {"cga_layout", listOf(mfma.cluster)}}};
}

static Fields fieldsOf(ttg::AmdWmmaEncodingAttr encoding) {
  const layout::amd::Wmma &wmma = encoding.getLayout();
  std::vector<unsigned> warps(wmma.rank, 1), tiles(wmma.rank, 1);
  for (auto [counts, bases] : {std::pair(&warps, &wmma.warps), {&tiles, &wmma.registers}})
    for (const std::vector<unsigned> &basis : *bases)
      for (unsigned d = 0; d < wmma.rank; ++d)
        (*counts)[d] *= basis[d] ? 2 : 1;
  return {"AMDWMMALayout",
          {{"version", Value::ofInteger(wmma.version)},
           {"transposed", Value::boolean(wmma.isTranspose)},
           {"warps_per_cta", listOf(llvm::ArrayRef(warps))},
           {"instr_shape", listOf(llvm::ArrayRef(wmma.instrShape))},
           {"tiles_per_warp", listOf(llvm::ArrayRef(tiles))},
           {"cga_layout", listOf(wmma.cluster)}}};
}

/// The fields of any layout; no class for an encoding that Gluon has no name for.
static Fields fieldsOf(mlir::Attribute layout) {
  return llvm::TypeSwitch<mlir::Attribute, Fields>(layout)
      .Case([](gluon::AutoEncodingAttr) { return Fields{"AutoLayout", {}}; })
      .Case([](gluon::CoalescedEncodingAttr) { return Fields{"CoalescedLayout", {}}; })
      .Case([](ttg::BlockedEncodingAttr encoding) {
        const layout::Blocked &blocked = encoding.getLayout();
        return Fields{"BlockedLayout",
                      {{"size_per_thread", listOf(llvm::ArrayRef(blocked.sizePerThread))},
                       {"threads_per_warp", listOf(llvm::ArrayRef(blocked.threadsPerWarp))},
                       {"warps_per_cta", listOf(llvm::ArrayRef(blocked.warpsPerCTA))},
                       {"order", listOf(llvm::ArrayRef(blocked.order))},
                       {"cga_layout", listOf(blocked.cluster)}}};
      })
      .Case([](ttg::SliceEncodingAttr encoding) {
        return Fields{"SliceLayout",
                      {{"dim", Value::ofInteger(encoding.getDim())},
                       {"parent", Value::ofLayout(encoding.getParent())}}};
      })
      .Case([](ttg::LinearEncodingAttr encoding) {
        return linearFields(encoding.getRank(), encoding.getLayout());
      })
      .Case([](ttg::GenericLinearEncodingAttr encoding) {
        return linearFields(encoding.getRank(), encoding.getLayout());
      })
      .Case([](ttg::DotOperandEncodingAttr encoding) {
        return Fields{"DotOperandLayout",
                      {{"operand_index", Value::ofInteger(encoding.getOpIdx())},
                       {"parent", Value::ofLayout(encoding.getParent())},
                       {"k_width", Value::ofInteger(encoding.getKWidth())}}};
      })
      .Case([](ttg::NvidiaMmaEncodingAttr encoding) {
        const layout::nvidia::Mma &mma = encoding.getLayout();
        const unsigned version[] = {mma.versionMajor, mma.versionMinor};
        return Fields{"NVMMADistributedLayout",
                      {{"version", listOf(llvm::ArrayRef(version))},
                       {"warps_per_cta", listOf(llvm::ArrayRef(mma.warpsPerCTA))},
                       {"instr_shape", listOf(llvm::ArrayRef(mma.instrShape))},
                       {"cga_layout", listOf(mma.cluster)}}};
      })
      .Case<ttg::AmdMfmaEncodingAttr, ttg::AmdWmmaEncodingAttr, ttg::NvmmaSharedEncodingAttr,
            ttg::PaddedSharedEncodingAttr, ttng::TensorMemoryEncodingAttr>(
          [](auto encoding) { return fieldsOf(encoding); })
      .Case([](ttg::SwizzledSharedEncodingAttr encoding) {
        const layout::SwizzledShared &shared = encoding.getLayout();
        return Fields{"SwizzledSharedLayout",
                      {{"vec", Value::ofInteger(shared.vec)},
                       {"per_phase", Value::ofInteger(shared.perPhase)},
                       {"max_phase", Value::ofInteger(shared.maxPhase)},
                       {"order", listOf(llvm::ArrayRef(shared.order))},
                       {"cga_layout", listOf(shared.cluster)}}};
      })
      .Case([](ttg::SharedLinearEncodingAttr encoding) {
        const layout::SharedLinear &shared = encoding.getLayout();
        return Fields{"SharedLinearLayout",
                      {{"offset_bases", listOf(shared.offsets)},
                       {"block_bases", listOf(shared.blocks)},
                       {"alignment", Value::ofInteger(shared.alignment)}}};
      })
      .Case([](ttng::TensorMemoryScalesEncodingAttr) {
        return Fields{"TensorMemoryScalesLayout", {{"cta_split_num", Value::none()}}};
      })
      .Default([](mlir::Attribute) { return Fields{}; });
}

std::string frontend::reprOfLayout(mlir::Attribute layout) {
  const Fields fields = fieldsOf(layout);
  std::string text;
  llvm::raw_string_ostream os(text);
  if (fields.className.empty()) {
    os << layout;
    return text;
  }
  os << fields.className << '(';
  llvm::interleaveComma(fields.all, os,
                        [&](const Field &field) { os << field.name << '=' << field.value.repr(); });
  os << ')';
  return text;
}

std::string frontend::layoutFields(mlir::Attribute layout) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(fieldsOf(layout).all, os, [&](const Field &field) { os << field.name; });
  return text;
}

std::optional<Value> frontend::layoutField(mlir::Attribute layout, StringRef name) {
  for (const Field &field : fieldsOf(layout).all)
    if (field.name == name)
      return field.value;
  if (name == "rank")
    if (auto distributed = llvm::dyn_cast<tt::LayoutEncoding>(layout))
      return Value::ofInteger(distributed.getRank());
  return std::nullopt;
}

//===--------------------------------------------------------------------------===//
// Kinds of layouts
//===--------------------------------------------------------------------------===//

bool frontend::isAutoLayout(mlir::Attribute layout) {
  return llvm::isa_and_nonnull<gluon::AutoEncodingAttr>(layout);
}

mlir::Attribute frontend::autoLayoutOf(mlir::MLIRContext *context) {
  return gluon::AutoEncodingAttr::get(context);
}

bool frontend::isUndecidedLayout(mlir::Attribute layout) {
  return llvm::isa_and_nonnull<tt::UndecidedEncoding>(layout);
}

bool frontend::isDistributedLayout(mlir::Attribute layout) {
  return llvm::isa_and_nonnull<tt::LayoutEncoding, tt::UndecidedEncoding>(layout);
}

bool frontend::isHardwareLayout(mlir::Attribute layout) {
  return llvm::isa_and_nonnull<ttg::NvmmaSharedEncodingAttr>(layout);
}

bool frontend::isSharedLayout(mlir::Attribute layout) {
  return llvm::isa_and_nonnull<ttg::SharedLayoutEncoding>(layout);
}

std::string frontend::differingBases(mlir::Attribute left, mlir::Attribute right,
                                     llvm::ArrayRef<int64_t> shape) {
  auto mapOf = [&](mlir::Attribute layout) -> std::optional<layout::LinearLayout> {
    auto encoding = llvm::dyn_cast_if_present<tt::LayoutEncoding>(layout);
    if (!encoding || encoding.getRank() != shape.size() || !encoding.isLinear(shape))
      return std::nullopt;
    return encoding.toLinearLayout(shape);
  };
  const std::optional<layout::LinearLayout> a = mapOf(left), b = mapOf(right);
  if (!a || !b)
    return "";
  std::string text;
  unsigned differing = 0;
  constexpr unsigned maxListed = 6;
  auto basisOf = [](const layout::LinearLayout &map, layout::Dim dim, unsigned bit) {
    if (!map.hasIn(dim) || bit >= map.inBits(dim))
      return std::string("nothing");
    llvm::SmallVector<int64_t> basis;
    for (const layout::SizedDim &out : map.outs())
      basis.push_back(static_cast<int64_t>(map.basis(dim, bit, out.dim)));
    return describeShape(basis);
  };
  for (auto [dim, name] : {std::pair(layout::dims::Register, "register"),
                           {layout::dims::Lane, "lane"},
                           {layout::dims::Warp, "warp"},
                           {layout::dims::Block, "block"}}) {
    const unsigned bits =
        std::max(a->hasIn(dim) ? a->inBits(dim) : 0, b->hasIn(dim) ? b->inBits(dim) : 0);
    for (unsigned bit = 0; bit < bits; ++bit) {
      const std::string first = basisOf(*a, dim, bit), second = basisOf(*b, dim, bit);
      if (first == second || ++differing > maxListed)
        continue;
      text += (text.empty() ? "" : "; ") + std::string("bit ") + std::to_string(bit) + " of the " +
              name + " moves by " + first + " and " + second;
    }
  }
  if (differing > maxListed)
    text += "; and " + std::to_string(differing - maxListed) + " more";
  return text;
}
