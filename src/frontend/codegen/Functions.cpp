//===- Functions.cpp - Code generation for function bodies and calls ----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/codegen/CodeGen.h"

#include "llvm/ADT/StringExtras.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

//===--------------------------------------------------------------------------===//
// Bodies
//===--------------------------------------------------------------------------===//

llvm::SmallVector<const Parameter *> CodeGen::parametersOf(const FunctionDefStmt *function) {
  llvm::SmallVector<const Parameter *> all;
  for (const auto *list : {&function->parameters.positionalOnly, &function->parameters.positional,
                           &function->parameters.keywordOnly})
    for (const Parameter &parameter : *list)
      all.push_back(&parameter);
  for (const Parameter *parameter : {function->parameters.variadic, function->parameters.keywords})
    if (parameter)
      all.push_back(parameter);
  return all;
}

std::string CodeGen::namesOf(llvm::ArrayRef<const Parameter *> parameters) {
  std::string names;
  for (const Parameter *parameter : parameters)
    names += (names.empty() ? "" : ", ") + std::string(parameter->name);
  return names;
}

bool CodeGen::checkDefinition(const FunctionObject *function) {
  const Parameters &parameters = function->definition->parameters;
  TritonBuilder::InFile file(tb, function->environment->file->fileName(),
                             function->environment->file->text());
  if (const Parameter *parameter = parameters.keywords;
      parameter && function->kind == FunctionKind::Jitted)
    return tb.rejectAt({parameter->begin, parameter->end},
                       "a jitted function cannot take any keyword",
                       "name each parameter, or take a tuple");
  if (function->definition->isAsync)
    return tb.rejectAt({function->definition->nameAt, function->definition->nameAt},
                       "an asynchronous function cannot be run while compiling",
                       "write a function without async");
  llvm::StringSet<> names;
  for (const Parameter *parameter : parametersOf(function->definition))
    if (!names.insert(parameter->name).second)
      return tb.rejectAt({parameter->begin, parameter->end},
                         "the parameter '" + StringRef(parameter->name) +
                             "' stands twice in the definition");
  return true;
}

/// Generates the body into the entry block, which has its arguments already. The locals of
/// `newFrame` hold the parameters; its result is set.
bool CodeGen::generateBody(const FunctionObject *function, tt::FuncOp op, Frame &newFrame) {
  newFrame.caller = frame;
  Within within(*this, *function->environment, &newFrame);
  const Body &body = function->definition->body;
  TritonBuilder::FunctionScope scope(tb, &op.getBody().front());
  if (!makeParameters(op.getBody().front()))
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

//===--------------------------------------------------------------------------===//
// Calls
//===--------------------------------------------------------------------------===//

void frontend::flatten(const Value &value, llvm::SmallVectorImpl<mlir::Value> &flat) {
  if (value.isSingle() || value.isDescriptor())
    flat.push_back(value.ssa);
  if (value.hasParts())
    for (const Value &element : *value.elements)
      flatten(element, flat);
}

Value frontend::rebuild(const Value &value, mlir::ValueRange flat, size_t &next) {
  if (value.isSingle()) {
    Value result = value;
    result.ssa = flat[next++];
    return result;
  }
  if (!value.hasParts())
    return value;
  Value result = value;
  if (value.isDescriptor())
    result.ssa = flat[next++];
  std::vector<Value> elements;
  for (const Value &element : *value.elements)
    elements.push_back(rebuild(element, flat, next));
  result.elements = std::make_shared<const std::vector<Value>>(std::move(elements));
  return result;
}

/// What distinguishes one specialisation from another.
static void appendKey(std::string &key, const Value &value) {
  if (value.isTensor()) {
    key += value.type.str();
    for (int64_t size : value.shape())
      key += "x" + std::to_string(size);
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

/// A symbol name from a key: letters, digits and underscores, different for different keys.
std::string CodeGen::symbolFor(StringRef key) {
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

/// The parameters that take one argument each.
static size_t namedCount(const FunctionDefStmt *function) {
  const Parameters &parameters = function->parameters;
  return parameters.positionalOnly.size() + parameters.positional.size() +
         parameters.keywordOnly.size();
}

std::optional<size_t> CodeGen::findParameter(const FunctionDefStmt *function,
                                             const GivenArgument &argument) {
  llvm::SmallVector<const Parameter *> parameters = parametersOf(function);
  for (size_t index = function->parameters.positionalOnly.size(); index < namedCount(function);
       ++index)
    if (StringRef(parameters[index]->name) == argument.keyword)
      return index;
  if (function->parameters.keywords)
    return parameters.size() - 1;
  llvm::SmallVector<StringRef> names;
  for (const Parameter *parameter : parameters)
    names.push_back(parameter->name);
  StringRef close = closestOf(argument.keyword, names);
  tb.failAt(argument.span,
            StringRef(function->name) + " has no parameter '" + argument.keyword + "'",
            close.empty() ? "its parameters are " + namesOf(parameters)
                          : "did you mean '" + close.str() + "'?");
  return std::nullopt;
}

bool CodeGen::bindParameters(const FunctionObject *object, llvm::ArrayRef<GivenArgument> given,
                             llvm::SmallVectorImpl<Value> &values) {
  const FunctionDefStmt *function = object->definition;
  llvm::SmallVector<const Parameter *> parameters = parametersOf(function);
  size_t positionalCount =
      function->parameters.positionalOnly.size() + function->parameters.positional.size();
  StringRef name(function->name);
  values.assign(parameters.size(), Value());
  llvm::SmallVector<bool> isGiven(parameters.size(), false);
  // `*rest` takes all further positional arguments, as a tuple, and `**rest` the others, as a dict.
  const bool isVariadic = function->parameters.variadic;
  const bool takesKeywords = function->parameters.keywords;
  const size_t named = namedCount(function);
  std::vector<Value> rest, keywords;
  size_t next = 0;
  for (const GivenArgument &argument : given) {
    size_t index = next;
    if (argument.keyword.empty()) {
      if (next >= positionalCount && isVariadic) {
        rest.push_back(argument.value);
        continue;
      }
      if (next >= positionalCount)
        return tb.rejectAt(argument.span,
                           name + " takes " + llvm::Twine(positionalCount) +
                               " positional argument" + (positionalCount == 1 ? "" : "s") +
                               ", and this is one more",
                           parameters.empty() ? "it has no parameters"
                                              : "its parameters are " + namesOf(parameters));
      ++next;
    } else if (std::optional<size_t> found = findParameter(function, argument)) {
      index = *found;
    } else {
      return false;
    }
    if (takesKeywords && index + 1 == parameters.size()) {
      keywords.insert(keywords.end(), {Value::ofString(argument.keyword), argument.value});
      continue;
    }
    if (isGiven[index])
      return tb.rejectAt(argument.span,
                         name + ": the argument '" + StringRef(parameters[index]->name) +
                             "' is given twice",
                         "give it once, by its place or by its name");
    // A parameter declared `: tl.constexpr` takes what the kernel computes as well, as in Triton:
    // constants stay constants either way.
    isGiven[index] = true;
    values[index] = argument.value;
  }
  if (isVariadic)
    if (!(values[named] = tb.makeTuple(std::move(rest))))
      return false;
  if (takesKeywords)
    if (!(values.back() = tb.makeDict(keywords)))
      return false;
  for (size_t i = 0; i < named; ++i) {
    if (isGiven[i])
      continue;
    const Expr *value = defaultOf(function, i);
    if (!value)
      return tb.reject(name + ": the argument '" + StringRef(parameters[i]->name) + "' is missing",
                       "give it, or give the parameter a default; the parameters are " +
                           namesOf(parameters));
    values[i] = evaluateDefault(object, value);
    if (!values[i])
      return false;
  }
  return true;
}

/// Defaults belong to the last positional parameters, and to keyword-only ones.
const Expr *CodeGen::defaultOf(const FunctionDefStmt *function, size_t index) {
  const Parameters &parameters = function->parameters;
  size_t positional = parameters.positionalOnly.size() + parameters.positional.size();
  if (index >= positional)
    return parameters.keywordDefaults[index - positional];
  size_t first = positional - parameters.defaults.size();
  return index < first ? nullptr : parameters.defaults[index - first];
}

Value CodeGen::evaluateDefault(const FunctionObject *function, const Expr *expr) {
  if (auto known = function->defaults.find(expr); known != function->defaults.end())
    return known->second;
  Within within(*this, *function->home, function->order);
  Value value = evaluate(expr);
  const auto *name = expr->dynAs<NameExpr>();
  const Scope *scope = function->home->scope;
  if (!name || !scope || !value.isMutable())
    return value;
  for (const Definition *one = scope->find(name->id); one; one = one->earlier)
    if (one->order >= function->order && (one->mayChange || one->changedAt))
      return tb.failAt(spanOf(expr),
                       "what this default has when '" + function->name() +
                           "' is called is not known while compiling, as '" + StringRef(name->id) +
                           "' may be changed in between",
                       "make a tuple of it");
  return value;
}

Value CodeGen::callFunction(const FunctionObject *function, llvm::ArrayRef<GivenArgument> given) {
  SourceSpan callSpan = tb.here();
  if (inPython())
    return tb.fail("'" + function->name() +
                       "' is compiled for the kernel, and is called outside of a kernel",
                   "put @triton.constexpr_function before it if it computes with constants");
  unsigned depth = 0;
  for (const Frame *active = frame; active; active = active->caller) {
    if (++depth > maxCallDepth)
      return tb.fail("calls are nested more than " + llvm::Twine(maxCallDepth) + " deep");
    if (active->function == function)
      return tb.fail("'" + function->name() + "' calls itself; a kernel cannot recurse",
                     "write a loop");
  }
  llvm::SmallVector<Value> arguments;
  if (!checkDefinition(function) || !bindParameters(function, given, arguments))
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
    noteCall(function, callSpan);
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

void CodeGen::noteCall(const FunctionObject *function, SourceSpan span) {
  if (errors.empty())
    return;
  Diagnostic note;
  note.severity = Severity::Note;
  note.where = {tb.currentFile().str(), static_cast<int>(span.begin.line),
                static_cast<int>(span.begin.column), 1};
  note.message = "in the call of '" + function->name().str() + "' from here";
  errors.back().notes.push_back(std::move(note));
}

CodeGen::Specialization *CodeGen::specialize(const FunctionObject *function,
                                             llvm::ArrayRef<Value> arguments) {
  std::string key = function->key + "__";
  for (const Value &argument : arguments) {
    if (key.back() != '_')
      key += '_';
    appendKey(key, argument);
  }
  if (auto known = specializations.find(key); known != specializations.end())
    return &known->second;

  llvm::SmallVector<mlir::Value> operands;
  for (const Value &argument : arguments)
    flatten(argument, operands);
  // The function's own places are in its own file.
  Frame *const caller = frame;
  Within within(*this, *function->environment, caller);
  mlir::OpBuilder::InsertionGuard guard(tb.builder);
  tb.builder.setInsertionPointToEnd(module->getBody());
  auto op = tt::FuncOp::create(
      tb.builder, tb.locationOf(function->definition->begin), symbolFor(key),
      tb.builder.getFunctionType(mlir::ValueRange(operands).getTypes(), {}),
      {tb.builder.getNamedAttr("sym_visibility", tb.builder.getStringAttr("private")),
       tb.builder.getNamedAttr("noinline", tb.builder.getBoolAttr(function->isNoInline))});
  mlir::Block *entryBlock = &op.getBody().emplaceBlock();

  Frame callee;
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
