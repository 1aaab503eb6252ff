//===- Products.cpp - Builtins of Gluon: products of matrices -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/builtins/gluon/Gluon.h"

#include "ir/ttng/Dialect.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

/// The precision that the argument names; `otherwise` where it is left out.
static std::optional<tt::InputPrecision> precisionArgument(const Arguments &arguments, size_t index,
                                                           tt::InputPrecision otherwise) {
  std::optional<std::string> name = arguments.string(index);
  if (!name)
    return std::nullopt;
  if (name->empty())
    return otherwise;
  if (std::optional<tt::InputPrecision> known =
          tt::symbolizeInputPrecision(StringRef(*name).lower()))
    return known;
  arguments.fail(index, "is \"" + llvm::Twine(*name) + "\", which is no precision",
                 "write \"tf32\", \"tf32x3\" or \"ieee\"");
  return std::nullopt;
}

/// a, b, acc: operands in layouts of operands of the accumulator's.
static Value productInRegisters(Arguments &arguments,
                                llvm::function_ref<bool(mlir::Attribute)> isAccumulator,
                                StringRef accumulatorLayout,
                                std::optional<tt::InputPrecision> precision) {
  TritonBuilder &tb = arguments.tb;
  if (!precision)
    return {};
  for (size_t index : {0, 1, 2})
    if (!arguments[index].isBlock())
      return arguments.fail(index, "must be a tensor, not " + arguments[index].describe());
  const mlir::Attribute layout = arguments[2].encoding();
  if (!isAccumulator(layout))
    return arguments.fail(2, "must have " + accumulatorLayout + ", not " + reprOfLayout(layout));
  for (unsigned index : {0u, 1u}) {
    auto operand = llvm::dyn_cast<ttg::DotOperandEncodingAttr>(arguments[index].encoding());
    if (!operand || operand.getOpIdx() != index || mlir::Attribute(operand.getParent()) != layout)
      return arguments.fail(index,
                            "must have DotOperandLayout(" + llvm::Twine(index) +
                                ", parent, "
                                "k_width) with the accumulator's layout as parent, not " +
                                reprOfLayout(arguments[index].encoding()),
                            "the accumulator has " + reprOfLayout(layout));
  }
  llvm::ArrayRef<int64_t> a = arguments[0].shape(), b = arguments[1].shape(),
                          c = arguments[2].shape();
  if (a.back() != b[b.size() - 2] || c[c.size() - 2] != a[a.size() - 2] || c.back() != b.back())
    return arguments.fail(1,
                          "and the others do not fit: " + describeShape(a) + " times " +
                              describeShape(b) + " is not " + describeShape(c),
                          "the product of [.., M, K] and [.., K, N] is [.., M, N]");
  auto op = tt::DotOp::create(tb.builder, tb.loc(), arguments[2].ssa.getType(), arguments[0].ssa,
                              arguments[1].ssa, arguments[2].ssa, *precision,
                              /*maxNumImpreciseAcc=*/0);
  return verifyMade(arguments, op) ? Value::tensor(op, arguments[2].type) : Value();
}

static bool isMma(mlir::Attribute layout, unsigned version) {
  auto mma = llvm::dyn_cast_if_present<ttg::NvidiaMmaEncodingAttr>(layout);
  return mma && mma.getLayout().versionMajor == version;
}

/// a, b, acc, input_precision.
static Value mmaOfWarps(Arguments &arguments) {
  return productInRegisters(
      arguments, [](mlir::Attribute layout) { return isMma(layout, 2); },
      "NVMMADistributedLayout(version=[2, 0], ..)",
      precisionArgument(arguments, 3, tt::InputPrecision::TF32));
}

static Value dotFma(Arguments &arguments) {
  return productInRegisters(
      arguments,
      [](mlir::Attribute layout) {
        return llvm::isa_and_nonnull<ttg::BlockedEncodingAttr>(layout);
      },
      "a BlockedLayout", tt::InputPrecision::TF32);
}

template <unsigned version> static Value productByWmma(Arguments &arguments) {
  return productInRegisters(
      arguments,
      [](mlir::Attribute layout) {
        auto wmma = llvm::dyn_cast_if_present<ttg::AmdWmmaEncodingAttr>(layout);
        return wmma && wmma.getLayout().version == version;
      },
      "AMDWMMALayout of version " + std::to_string(version), tt::InputPrecision::IEEE);
}

template <unsigned version> static Value productByMfma(Arguments &arguments) {
  return productInRegisters(
      arguments,
      [](mlir::Attribute layout) {
        return llvm::isa_and_nonnull<ttg::AmdMfmaEncodingAttr>(layout);
      },
      "AMDMFMALayout", tt::InputPrecision::IEEE);
}

llvm::ArrayRef<Builtin> frontend::gluonAmpereBuiltins() {
  static constexpr Builtin builtins[] = {{"mma_v2", "a b acc input_precision?", mmaOfWarps}};
  return builtins;
}

llvm::ArrayRef<Builtin> frontend::gluonProductBuiltins() {
  static constexpr Builtin builtins[] = {{"dot_fma", "a b acc", dotFma}};
  return builtins;
}

llvm::ArrayRef<Builtin> frontend::gluonAmdBuiltins(StringRef processor) {
  static constexpr Builtin rdna3[] = {{"wmma", "a b acc", productByWmma<1>}};
  static constexpr Builtin rdna4[] = {{"wmma", "a b acc", productByWmma<2>}};
  static constexpr Builtin cdna3[] = {{"mfma", "a b acc", productByMfma<3>}};
  static constexpr Builtin cdna4[] = {{"mfma", "a b acc", productByMfma<4>}};
  return llvm::StringSwitch<llvm::ArrayRef<Builtin>>(processor)
      .Case("rdna3", rdna3)
      .Case("rdna4", rdna4)
      .Case("cdna3", cdna3)
      .Case("cdna4", cdna4)
      .Default({});
}

//===--------------------------------------------------------------------------===//
// Products of groups of warps
//===--------------------------------------------------------------------------===//

static Value fenceAsyncShared(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  std::optional<bool> cluster = arguments.flag(0, false);
  if (!cluster)
    return {};
  ttng::FenceAsyncSharedOp::create(tb.builder, tb.loc(), *cluster);
  return Value::none();
}

/// An accumulator that is complete, as one of a product that is to come.
static Value initAccumulator(Arguments &arguments) {
  const Value &value = arguments[0];
  if (!value.isBlock())
    return arguments.fail(0, "must be a tensor, not " + value.describe());
  return Value::accumulator(value.ssa, value.type);
}

/// a, b, acc, use_acc, precision, max_num_imprecise_acc, is_async.
static Value productOfWarpGroup(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  const Value &a = arguments[0], &acc = arguments[2];
  if (!a.isBlock() && !a.isMemDesc())
    return arguments.fail(0, "must be a tensor or shared memory, not " + a.describe());
  Value b = memDescArgument(arguments, 1);
  if (!b)
    return {};
  if (!acc.isBlock() && !acc.isAccumulator())
    return arguments.fail(2, "must be a tensor or the result of a product, not " + acc.describe());
  Value useAcc = predicateArgument(arguments, 3);
  std::optional<tt::InputPrecision> precision =
      useAcc ? precisionArgument(arguments, 4, tt::InputPrecision::TF32) : std::nullopt;
  std::optional<bool> isAsync = precision ? arguments.flag(6, false) : std::nullopt;
  if (!isAsync)
    return {};
  const bool isFloat8 = a.type.isFloat8() && b.type.isFloat8();
  std::optional<unsigned> imprecise = isFloat8 ? 1u << 30 : 0u;
  if (!arguments[5].isNone())
    imprecise = numberOf(arguments, 5);
  if (!imprecise)
    return {};
  if (isFloat8 && !arguments[5].isNone() && *imprecise > a.shape().back())
    return arguments.fail(5, "is " + llvm::Twine(*imprecise) + ", which is more than K, " +
                                 llvm::Twine(a.shape().back()));
  auto op = ttng::WarpGroupDotOp::create(tb.builder, tb.loc(), acc.ssa.getType(), a.ssa, b.ssa,
                                         acc.ssa, useAcc.ssa, *precision, *imprecise, *isAsync);
  if (!verifyMade(arguments, op))
    return {};
  return *isAsync ? Value::accumulator(op, acc.type) : Value::tensor(op, acc.type);
}

/// num_outstanding, deps: what is waited for, complete.
static Value waitForProducts(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  std::optional<unsigned> outstanding = numberOf(arguments, 0, 0);
  if (!outstanding)
    return {};
  llvm::ArrayRef<Value> deps;
  if (arguments[1].isTuple())
    deps = *arguments[1].elements;
  if (deps.empty())
    return arguments.fail(1, "must be given: the products to wait for",
                          "write deps=(acc,), and use what the wait returns");
  llvm::SmallVector<mlir::Value> inputs;
  for (const Value &dep : deps) {
    if (!dep.isBlock() && !dep.isAccumulator() && !dep.isMemDesc())
      return arguments.fail(1, "must be products and memory, not " + dep.describe());
    inputs.push_back(dep.ssa);
  }
  auto op = ttng::WarpGroupDotWaitOp::create(tb.builder, tb.loc(), inputs, *outstanding);
  if (!verifyMade(arguments, op))
    return {};
  std::vector<Value> results;
  for (auto [dep, result] : llvm::zip_equal(deps, op->getResults()))
    results.push_back(dep.isMemDesc() ? Value::memDesc(result, dep.type)
                                      : Value::tensor(result, dep.type));
  return results.size() == 1 ? results.front() : Value::tuple(std::move(results));
}

llvm::ArrayRef<Builtin> frontend::gluonHopperBuiltins() {
  static constexpr Builtin builtins[] = {
      {"fence_async_shared", "cluster?", fenceAsyncShared},
      {"warpgroup_mma_init", "value", initAccumulator},
      {"warpgroup_mma", "a b acc use_acc? precision? max_num_imprecise_acc? is_async?",
       productOfWarpGroup},
      {"warpgroup_mma_wait", "num_outstanding? deps?", waitForProducts},
  };
  return builtins;
}
