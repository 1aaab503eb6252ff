//===- Arguments.cpp - Arguments of Gluon's builtins --------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/builtins/gluon/Gluon.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

using namespace tilewright;
using namespace tilewright::frontend;
using mlir::Attribute;

//===--------------------------------------------------------------------------===//
// Layouts
//===--------------------------------------------------------------------------===//

std::optional<Attribute> frontend::distributedLayout(const Arguments &arguments, size_t index) {
  const Value &value = arguments[index];
  if (value.isLayout() && isDistributedLayout(value.layout))
    return value.layout;
  arguments.fail(index, "must be a layout of tensors, not " + value.describe(),
                 value.isLayout() ? "this one is of memory; tensors have BlockedLayout, "
                                    "SliceLayout, DistributedLinearLayout and others"
                                  : "such as gl.BlockedLayout([1], [32], [4], [0])");
  return std::nullopt;
}

std::optional<Attribute> frontend::layoutOrAuto(const Arguments &arguments, size_t index) {
  if (!arguments.given(index) || arguments[index].isNone())
    return autoLayoutOf(arguments.tb.builder.getContext());
  return distributedLayout(arguments, index);
}

std::optional<Attribute> frontend::sharedLayout(const Arguments &arguments, size_t index) {
  const Value &value = arguments[index];
  if (value.isLayout() && isSharedLayout(value.layout))
    return value.layout;
  arguments.fail(index, "must be a layout of shared memory, not " + value.describe(),
                 "such as gl.SwizzledSharedLayout(vec=1, per_phase=1, max_phase=1, order=[1, 0])");
  return std::nullopt;
}

std::string frontend::messageOf(
    const Arguments &arguments,
    llvm::function_ref<void(llvm::function_ref<mlir::InFlightDiagnostic()> emitError)> check) {
  std::string message;
  mlir::ScopedDiagnosticHandler handler(arguments.tb.builder.getContext(),
                                        [&](mlir::Diagnostic &diagnostic) {
                                          if (message.empty())
                                            message = diagnostic.str();
                                          return mlir::success();
                                        });
  check([&] { return mlir::emitError(arguments.tb.loc()); });
  return message;
}

bool frontend::checkLayoutFits(const Arguments &arguments, size_t index, Attribute layout,
                               llvm::ArrayRef<int64_t> shape) {
  if (isUndecidedLayout(layout))
    return true;
  auto encoding = llvm::cast<tt::LayoutEncoding>(layout);
  if (encoding.getRank() != shape.size())
    return arguments.reject(index,
                            "has " + llvm::Twine(encoding.getRank()) +
                                (encoding.getRank() == 1 ? " dimension" : " dimensions") +
                                ", but the tensor has the shape " + describeShape(shape) + ": " +
                                reprOfLayout(layout),
                            shape.size() + 1 == encoding.getRank()
                                ? "SliceLayout(dim, layout) is this layout without a dimension"
                                : "");
  TritonBuilder &tb = arguments.tb;
  // The number of warps and of threads must be the kernel's.
  if (!encoding.isLinear(shape))
    return true;
  const layout::LinearLayout map = encoding.toLinearLayout(shape);
  for (auto [dim, count, what] :
       {std::tuple(layout::dims::Lane, tb.facts.threadsPerWarp, "threads a warp"),
        {layout::dims::Warp, tb.facts.numWarps, "warps"}}) {
    const uint64_t has = map.hasIn(dim) ? uint64_t(1) << map.inBits(dim) : 1;
    if (has != count)
      return arguments.reject(
          index,
          "has " + llvm::Twine(has) + " " + what + ", but the kernel is compiled for " +
              llvm::Twine(count) + ": " + reprOfLayout(layout),
          dim == layout::dims::Warp
              ? "change the layout, or compile with --num-warps " + std::to_string(has)
              : "change the layout; the target's warps have " + std::to_string(count) + " threads");
  }
  return true;
}

bool frontend::numbersOf(const Arguments &arguments, size_t index, std::vector<unsigned> &numbers) {
  llvm::SmallVector<int64_t> given;
  if (!arguments.shape(index, given))
    return false;
  for (int64_t number : given) {
    if (number < 0)
      return arguments.reject(index, "has the negative number " + llvm::Twine(number));
    numbers.push_back(static_cast<unsigned>(number));
  }
  return true;
}

bool frontend::basesOf(const Arguments &arguments, size_t index, unsigned rank,
                       layout::LiteralBases &bases) {
  const Value &value = arguments[index];
  if (value.isNone())
    return true;
  if (!value.isTuple())
    return arguments.reject(index, "must be a list of bases, not " + value.describe(),
                            "write one list of numbers for each bit: [[0, 1], [0, 2]]");
  for (const Value &basis : *value.elements) {
    std::vector<unsigned> &numbers = bases.emplace_back();
    const bool isGood = basis.isTuple() && basis.elements->size() == rank &&
                        llvm::all_of(*basis.elements, [&](const Value &number) {
                          const bool fits = number.isIntegral() && number.integer >= 0 &&
                                            number.integer <= INT32_MAX;
                          numbers.push_back(fits ? static_cast<unsigned>(number.integer) : 0);
                          return fits;
                        });
    if (!isGood)
      return arguments.reject(
          index, "has " + basis.repr() + " for a basis, which needs " + llvm::Twine(rank) +
                     (rank == 1 ? " number" : " numbers, one for each dimension"));
  }
  return true;
}

std::optional<unsigned> frontend::numberOf(const Arguments &arguments, size_t index,
                                           std::optional<unsigned> otherwise) {
  if (otherwise && (!arguments.given(index) || arguments[index].isNone()))
    return otherwise;
  std::optional<int64_t> number = arguments.integer(index);
  if (!number)
    return std::nullopt;
  if (*number >= 0 && *number <= INT32_MAX)
    return static_cast<unsigned>(*number);
  arguments.fail(index, "is " + llvm::Twine(*number) + ", which is out of range");
  return std::nullopt;
}

Value frontend::layoutIf(const Arguments &arguments, const Result<void> &valid,
                         llvm::function_ref<Attribute()> make) {
  if (!valid)
    return arguments.tb.fail(arguments.builtin.name + ": " + valid.error());
  return Value::ofLayout(make());
}

//===--------------------------------------------------------------------------===//
// Memory
//===--------------------------------------------------------------------------===//

Value frontend::memDescArgument(const Arguments &arguments, size_t index) {
  const Value &value = arguments[index];
  if (value.isMemDesc())
    return value;
  return arguments.fail(index, "must be memory of the block, not " + value.describe(),
                        "gl.allocate_shared_memory makes some");
}

bool frontend::memDescArguments(const Arguments &arguments, size_t index,
                                llvm::SmallVectorImpl<mlir::Value> &views) {
  const Value &value = arguments[index];
  if (value.isNone())
    return true;
  llvm::ArrayRef<Value> elements(value);
  if (value.isTuple())
    elements = *value.elements;
  for (const Value &element : elements) {
    if (!element.isMemDesc())
      return arguments.reject(index, "must be views of memory, not " + element.describe());
    views.push_back(element.ssa);
  }
  return true;
}

Value frontend::predicateArgument(const Arguments &arguments, size_t index) {
  TritonBuilder &tb = arguments.tb;
  Value value = arguments.given(index) ? arguments[index] : Value::boolean(true);
  TritonBuilder::At at(tb, arguments.spanOf(index));
  if (!value.isNumber() && !value.isTensor())
    return arguments.fail(index, "must be true or false, not " + value.describe());
  value = tb.toBool(value);
  if (value && value.isBlock())
    return arguments.fail(index, "must be a scalar, not " + value.describe(),
                          "the whole operation is done or is not");
  return value;
}

Value frontend::indexArgument(const Arguments &arguments, size_t index) {
  TritonBuilder &tb = arguments.tb;
  const Value &value = arguments[index];
  const bool isScalar =
      value.isIntegral() || (value.isTensor() && !value.isBlock() && value.type.isInteger());
  if (!isScalar)
    return arguments.fail(index, "must be an integer, not " + value.describe());
  return tb.cast(value, {ScalarKind::Int32});
}

bool frontend::indexArguments(const Arguments &arguments, size_t index,
                              llvm::SmallVectorImpl<mlir::Value> &indices) {
  TritonBuilder &tb = arguments.tb;
  const Value &value = arguments[index];
  llvm::ArrayRef<Value> elements(value);
  if (value.isTuple())
    elements = *value.elements;
  for (const Value &element : elements) {
    if (!element.isIntegral() &&
        !(element.isTensor() && !element.isBlock() && element.type.isInteger()))
      return arguments.reject(index, "must be integers, not " + element.describe());
    indices.push_back(tb.cast(element, {ScalarKind::Int32}).ssa);
  }
  return true;
}

ttg::MemDescType frontend::sharedMemoryType(const Arguments &arguments, DType element,
                                            llvm::ArrayRef<int64_t> shape, Attribute layout,
                                            llvm::ArrayRef<int64_t> allocShape) {
  TritonBuilder &tb = arguments.tb;
  mlir::MLIRContext *context = tb.builder.getContext();
  ttg::MemDescType type;
  const std::string message = messageOf(arguments, [&](auto emitError) {
    const Attribute space = ttg::SharedMemorySpaceAttr::get(context);
    llvm::ArrayRef<int64_t> whole = allocShape.empty() ? shape : allocShape;
    if (succeeded(ttg::MemDescType::verify(emitError, shape, element.toMLIR(context), layout, space,
                                           /*mutableMemory=*/true, whole)))
      type = ttg::MemDescType::get(shape, element.toMLIR(context), layout, space,
                                   /*mutableMemory=*/true, whole);
  });
  if (!type)
    tb.fail(arguments.builtin.name + ": " + message);
  return type;
}

bool frontend::verifyMade(const Arguments &arguments, mlir::Operation *op) {
  const std::string message =
      messageOf(arguments, [&](auto) { (void)mlir::verify(op, /*verifyRecursively=*/false); });
  if (message.empty())
    return true;
  op->erase();
  return arguments.tb.reject(arguments.builtin.name + ": " + message);
}

Value frontend::callLanguage(const Arguments &arguments, llvm::StringRef name,
                             llvm::ArrayRef<GivenArgument> given) {
  const Builtin *builtin = findLanguageBuiltin(name);
  Arguments inner(arguments.tb, *builtin);
  return inner.bind(given) ? builtin->emit(inner) : Value();
}
