//===- IREdits.cpp - Edits of IR ----------------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// An edit is the number of an op, or of an argument, in the order of a walk over the module. It is
// made in a module that is parsed anew, and what results is printed.
//
//===--------------------------------------------------------------------------===//

#include "ir/Dialects.h"
#include "ir/tt/Dialect.h"
#include "reduce/Edits.h"
#include "vendor/Vendors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::reduce;

namespace {

/// A context whose complaints nobody reads.
class QuietContext {
public:
  QuietContext() : context(MLIRContext::Threading::DISABLED) {
    DialectRegistry registry;
    registry.insert<arith::ArithDialect, cf::ControlFlowDialect, LLVM::LLVMDialect,
                    math::MathDialect, scf::SCFDialect, ub::UBDialect>();
    ir::registerDialects(registry);
    vendor::registerAll(registry);
    context.appendDialectRegistry(registry);
    context.getDiagEngine().registerHandler([](mlir::Diagnostic &) { return success(); });
  }

  OwningOpRef<ModuleOp> parse(StringRef text) {
    return parseSourceString<ModuleOp>(text, ParserConfig(&context));
  }

private:
  MLIRContext context;
};

using FindOps = std::function<void(ModuleOp, SmallVectorImpl<Operation *> &)>;
using ChangeOp = std::function<void(Operation *)>;

/// Changes the ops that `find` finds, the last ones first: then nothing uses what an op gives, or
/// what uses it stays.
class OpEdits : public Edits {
public:
  OpEdits(Program program, FindOps find, ChangeOp change)
      : program(std::move(program)), find(std::move(find)), change(std::move(change)) {
    SmallVector<Operation *> ops;
    if (OwningOpRef<ModuleOp> module = context.parse(this->program.text)) {
      this->find(*module, ops);
      found = ops.size();
    }
  }

  unsigned count() const override { return found; }

  std::optional<Program> apply(ArrayRef<unsigned> chosen) const override {
    OwningOpRef<ModuleOp> module = context.parse(program.text);
    SmallVector<Operation *> ops;
    find(*module, ops);
    for (unsigned number : llvm::reverse(chosen))
      change(ops[number]);
    if (failed(verify(*module)))
      return std::nullopt;
    Program result{"", program.signature};
    llvm::raw_string_ostream(result.text) << *module << '\n';
    return result;
  }

private:
  mutable QuietContext context;
  Program program;
  FindOps find;
  ChangeOp change;
  unsigned found = 0;
};

} // namespace

static EditKind kindOf(const char *name, FindOps find, ChangeOp change) {
  return {name, [=](const Program &program) -> std::unique_ptr<Edits> {
            auto edits = std::make_unique<OpEdits>(program, find, change);
            return edits->count() ? std::move(edits) : nullptr;
          }};
}

/// Ops inside of functions, inner ones after what they are in, but for ends of blocks.
static void findOps(ModuleOp module, SmallVectorImpl<Operation *> &ops) {
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->getParentOfType<tt::FuncOp>() && !op->hasTrait<OpTrait::IsTerminator>())
      ops.push_back(op);
  });
}

//===--------------------------------------------------------------------------===//
// Removal of ops
//===--------------------------------------------------------------------------===//

/// Zero of a type; null where it has none.
static Value makeZero(OpBuilder &builder, Location loc, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  Type element = tensor ? tensor.getElementType() : type;
  if (!isa<IntegerType, FloatType>(element))
    return {};
  TypedAttr zero = builder.getZeroAttr(type);
  return zero ? arith::ConstantOp::create(builder, loc, zero) : Value();
}

/// What a result may be replaced by: an operand of its type, or zero. Null where there is neither.
static Value findStandIn(OpBuilder &builder, OpResult result) {
  for (Value operand : result.getOwner()->getOperands())
    if (operand.getType() == result.getType())
      return operand;
  return makeZero(builder, result.getLoc(), result.getType());
}

static void removeOp(Operation *op) {
  OpBuilder builder(op);
  SmallVector<Value> standIns;
  for (OpResult result : op->getResults()) {
    Value standIn = result.use_empty() ? result : findStandIn(builder, result);
    if (!standIn)
      return;
    standIns.push_back(standIn);
  }
  for (auto [result, standIn] : llvm::zip_equal(op->getResults(), standIns))
    if (!result.use_empty())
      result.replaceAllUsesWith(standIn);
  op->erase();
}

/// Ops that removal makes smaller: a zero that somebody needs would become a zero again.
static void findRemovable(ModuleOp module, SmallVectorImpl<Operation *> &ops) {
  findOps(module, ops);
  llvm::erase_if(ops, [](Operation *op) { return isa<arith::ConstantOp>(op) && !op->use_empty(); });
}

//===--------------------------------------------------------------------------===//
// Regions
//===--------------------------------------------------------------------------===//

/// Puts the ops of a block in its op's place. `arguments`: what its arguments become.
static void inlineBlock(Operation *op, Block &block, ValueRange arguments) {
  for (auto [argument, value] : llvm::zip_equal(block.getArguments(), arguments))
    argument.replaceAllUsesWith(value);
  Operation *end = block.getTerminator();
  op->replaceAllUsesWith(end->getOperands().take_front(op->getNumResults()));
  op->getBlock()->getOperations().splice(op->getIterator(), block.getOperations(), block.begin(),
                                         end->getIterator());
  op->erase();
}

static void findRegions(ModuleOp module, SmallVectorImpl<Operation *> &ops) {
  findOps(module, ops);
  llvm::erase_if(ops, [](Operation *op) { return !isa<scf::IfOp, scf::ForOp>(op); });
}

/// A loop becomes its first iteration, an `scf.if` its first block, or its second.
static void unwrap(Operation *op, bool second) {
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    SmallVector<Value> arguments = {loop.getLowerBound()};
    llvm::append_range(arguments, loop.getInitArgs());
    return inlineBlock(op, *loop.getBody(), arguments);
  }
  Region &region = cast<scf::IfOp>(op)->getRegion(second ? 1 : 0);
  if (!region.empty())
    inlineBlock(op, region.front(), {});
}

//===--------------------------------------------------------------------------===//
// Arguments and attributes
//===--------------------------------------------------------------------------===//

static void findFunctions(ModuleOp module, SmallVectorImpl<Operation *> &ops) {
  for (auto function : module.getOps<tt::FuncOp>())
    ops.push_back(function);
}

static void dropUnusedArguments(Operation *op) {
  auto function = cast<tt::FuncOp>(op);
  if (function.isExternal() || !function.isPublic())
    return;
  llvm::BitVector unused(function.getNumArguments());
  for (BlockArgument argument : function.getArguments())
    unused[argument.getArgNumber()] = argument.use_empty();
  if (unused.any())
    (void)function.eraseArguments(unused);
}

static void dropAttributes(Operation *op) {
  for (NamedAttribute attribute : llvm::to_vector(op->getDiscardableAttrs()))
    op->removeDiscardableAttr(attribute.getName());
}

static void findWithAttributes(ModuleOp module, SmallVectorImpl<Operation *> &ops) {
  findOps(module, ops);
  llvm::erase_if(ops, [](Operation *op) { return op->getDiscardableAttrs().empty(); });
}

std::vector<EditKind> reduce::irEdits() {
  return {
      kindOf("functions", findFunctions, [](Operation *op) { op->erase(); }),
      kindOf("ops", findRemovable, removeOp),
      kindOf("blocks", findRegions, [](Operation *op) { unwrap(op, false); }),
      kindOf("second blocks", findRegions, [](Operation *op) { unwrap(op, true); }),
      kindOf("arguments", findFunctions, dropUnusedArguments),
      kindOf("attributes", findWithAttributes, dropAttributes),
  };
}
