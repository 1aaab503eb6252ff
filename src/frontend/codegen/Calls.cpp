//===- Calls.cpp - Jitted functions, called by kernels ------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/codegen/KernelBuilder.h"

#include "frontend/interpret/Parameters.h"
#include "frontend/value/Layouts.h"
#include "ir/ttg/Attributes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

bool KernelBuilder::generateBody(const FunctionObject *function, tt::FuncOp op,
                                 KernelFrame &newFrame, bool isKernel) {
  newFrame.caller = now.frame;
  Within within(now, *function->environment, &newFrame);
  const llvm::SaveAndRestore current(frame, &newFrame);
  const Body &body = function->definition->body;
  TritonBuilder::FunctionScope scope(tb, &op.getBody().front());
  if (isKernel && !parameters.define(op.getBody().front(), newFrame.locals))
    return false;
  Flow flow = sequence(body, nullptr);
  if (flow == Flow::Failed)
    return false;
  if (flow == Flow::Next)
    newFrame.result = Value::none();
  llvm::SmallVector<mlir::Value> results;
  flatten(newFrame.result, results);
  TritonBuilder::At at(tb, {body.back()->begin, body.back()->end});
  tt::ReturnOp::create(tb.builder, tb.loc(), mlir::ValueRange(results));
  op.setFunctionType(
      tb.builder.getFunctionType(op.getArgumentTypes(), mlir::ValueRange(results).getTypes()));
  return true;
}

/// What distinguishes one specialisation from another.
static void appendKey(std::string &key, const Value &value) {
  if (value.isTensor()) {
    key += value.type.str();
    for (int64_t size : value.shape())
      key += "x" + std::to_string(size);
    if (value.encoding())
      key += reprOfLayout(value.encoding());
  } else if (value.isMemDesc() || value.isAccumulator()) {
    std::string type;
    llvm::raw_string_ostream(type) << value.ssa.getType();
    key += value.type.str() + type;
  } else if (value.isMatrix()) {
    key += value.describe();
  } else if (value.hasParts()) {
    key += value.tupleClass
               ? "t" + value.tupleClass->name + "_" + llvm::join(value.tupleClass->fields, "_")
           : value.isTuple()      ? "t" + std::to_string(value.elements->size())
           : value.isDescriptor() ? "desc_" + value.type.str()
                                  : "block_" + value.type.str();
    for (const Value &element : *value.elements) {
      key += '_';
      appendKey(key, element);
    }
  } else if (value.isDict() || value.isSet()) {
    key += value.isDict() ? "d" : "s";
    for (const Value &element : *value.elements) {
      key += '_';
      appendKey(key, element);
    }
  } else if (value.kind == ValueKind::Function) {
    key += "c" + value.function->key;
  } else if (value.kind == ValueKind::Builtin) {
    key += "c" + value.builtin->name.str();
  } else {
    key += "c" + value.repr();
  }
}

std::string KernelBuilder::symbolFor(StringRef key) {
  std::string name;
  for (char c : key)
    name += llvm::isAlnum(c) || c == '_' ? c : c == '*' ? 'P' : c == '-' ? 'm' : '_';
  if (name.size() > 120)
    name.resize(120);
  std::string unique = name;
  for (unsigned i = 1; !symbols.insert(unique).second; ++i)
    unique = name + "_" + std::to_string(i);
  return unique;
}

Value KernelBuilder::callFunction(const FunctionObject *function,
                                  llvm::ArrayRef<GivenArgument> given) {
  SourceSpan callSpan = tb.here();
  unsigned depth = 0;
  for (const Frame *active = now.frame; active; active = active->caller) {
    if (++depth > maxCallDepth)
      return tb.fail("calls are nested more than " + llvm::Twine(maxCallDepth) + " deep");
    if (active->function == function)
      return tb.fail("'" + function->name() + "' calls itself; a kernel cannot recurse",
                     "write a loop");
  }
  llvm::SmallVector<Value> arguments;
  if (!interpreter.checkDefinition(function) ||
      !interpreter.bindParameters(function, given, arguments))
    return {};
  for (size_t i = 0; i < arguments.size(); ++i)
    if (!arguments[i].isSingle() && !arguments[i].hasParts() && !arguments[i].isConstant())
      return tb.fail(arguments[i].describe() + " cannot be passed to a function");

  if (function->isNoInline)
    for (size_t i = 0; i < arguments.size(); ++i)
      if (arguments[i].isBlock() || arguments[i].isMatrix())
        return tb.fail("'" + function->name() +
                           "' is noinline, so that it can take scalars only, not " +
                           arguments[i].describe(),
                       "leave noinline=True out, or pass a pointer and load in the function");

  Specialization *specialization = specialize(function, arguments);
  if (!specialization) {
    now.noteCall(function, callSpan);
    return {};
  }
  llvm::SmallVector<mlir::Value> operands;
  for (const Value &argument : arguments)
    flatten(argument, operands);
  auto call =
      tt::CallOp::create(tb.builder, tb.loc(), specialization->op, mlir::ValueRange(operands));
  size_t next = 0;
  return rebuild(specialization->result, call.getResults(), next);
}

KernelBuilder::Specialization *KernelBuilder::specialize(const FunctionObject *function,
                                                         llvm::ArrayRef<Value> arguments) {
  std::string key = function->key + "__";
  for (const Value &argument : arguments) {
    if (key.back() != '_')
      key += '_';
    appendKey(key, argument);
  }
  if (partitionWarps)
    key += "_NW" + std::to_string(partitionWarps);
  if (auto known = specializations.find(key); known != specializations.end())
    return &known->second;

  llvm::SmallVector<mlir::Value> operands;
  for (const Value &argument : arguments)
    flatten(argument, operands);
  // The function's own places are in its own file.
  Within within(now, *function->environment, now.frame);
  mlir::OpBuilder::InsertionGuard guard(tb.builder);
  tb.builder.setInsertionPointToEnd(module->getBody());
  auto op = tt::FuncOp::create(
      tb.builder, tb.locationOf(function->definition->begin), symbolFor(key),
      tb.builder.getFunctionType(mlir::ValueRange(operands).getTypes(), {}),
      {tb.builder.getNamedAttr("sym_visibility", tb.builder.getStringAttr("private")),
       tb.builder.getNamedAttr("noinline", tb.builder.getBoolAttr(function->isNoInline))});
  if (partitionWarps)
    op->setAttr(ttg::numWarpsAttrName,
                tb.builder.getI32IntegerAttr(static_cast<int32_t>(partitionWarps)));
  mlir::Block *entryBlock = &op.getBody().emplaceBlock();

  KernelFrame callee;
  callee.function = function;
  llvm::SmallVector<const Parameter *> parameters = parametersOf(function->definition);
  for (size_t i = 0; i < parameters.size(); ++i) {
    llvm::SmallVector<mlir::Value> own;
    flatten(arguments[i], own);
    llvm::SmallVector<mlir::Value> inside;
    for (mlir::Value value : own)
      inside.push_back(entryBlock->addArgument(
          value.getType(), tb.locationOf(function->definition->begin, parameters[i]->name)));
    size_t next = 0;
    callee.locals[parameters[i]->name] = rebuild(arguments[i], inside, next);
  }
  TritonBuilder::Naming naming(tb, {});
  if (!generateBody(function, op, callee))
    return nullptr;
  Specialization &made = specializations[key];
  made = {op, callee.result};
  return &made;
}
