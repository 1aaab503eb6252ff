//===- Functions.cpp - Kernels and the functions they call --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/CodeGen.h"

#include "frontend/CompileKernel.h"
#include "frontend/Parser.h"
#include "llvm/ADT/StringExtras.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

CodeGen::CodeGen(mlir::MLIRContext &context, StringRef fileName, StringRef source,
                 const Module &syntax, Arena &arena, std::vector<Diagnostic> &errors)
    : context(context), syntax(syntax), arena(arena), errors(errors),
      emitter(&context, fileName, source, errors) {}

mlir::OwningOpRef<mlir::ModuleOp> frontend::compileKernel(mlir::MLIRContext &context,
                                                          StringRef fileName, StringRef sourceText,
                                                          StringRef kernelName, StringRef signature,
                                                          std::vector<KernelArgument> &arguments,
                                                          std::vector<Diagnostic> &errors,
                                                          bool assertions) {
  errors.clear();
  Arena arena;
  SyntaxError syntaxError;
  const Module *syntax = parse(sourceText, arena, syntaxError);
  if (!syntax) {
    errors.push_back(toDiagnostic(syntaxError, fileName, sourceText));
    return {};
  }
  // Loads the dialects that its ops need as well.
  context.getOrLoadDialect<tt::TritonDialect>();
  CodeGen codeGen(context, fileName, sourceText, *syntax, arena, errors);
  codeGen.setAssertions(assertions);
  auto module = codeGen.run(kernelName, signature);
  arguments = codeGen.takeArguments();
  for (Diagnostic &note : codeGen.takeNotes())
    errors.push_back(std::move(note));
  return module;
}

//===--------------------------------------------------------------------------===//
// The kernel
//===--------------------------------------------------------------------------===//

mlir::OwningOpRef<mlir::ModuleOp> CodeGen::run(StringRef kernelName, StringRef signature) {
  collectGlobals(syntax.body);
  const FunctionDefStmt *kernel = chooseKernel(kernelName);
  if (!kernel || !checkDefinition(kernel))
    return {};
  mlir::Location location = emitter.locationOf(kernel->begin);
  module = mlir::ModuleOp::create(emitter.builder, location);
  if (!bindSignature(kernel, signature) || emitter.failed())
    return {};
  return std::move(module);
}

const FunctionDefStmt *CodeGen::chooseKernel(StringRef name) {
  llvm::SmallVector<StringRef> jitted = jittedNames();
  auto fail = [&](const llvm::Twine &message, const llvm::Twine &remedy) {
    emitter.failAt({}, message, remedy);
    return nullptr;
  };
  auto functionOf = [&](StringRef wanted) {
    return globals.find(wanted)->second.statement->as<FunctionDefStmt>();
  };
  if (jitted.empty())
    return fail("the file has no kernel", "a kernel is a function with @triton.jit before it");
  if (!name.empty()) {
    if (llvm::is_contained(jitted, name))
      return functionOf(name);
    StringRef close = closestOf(name, jitted);
    return fail("the file has no kernel named '" + name + "'; it has " + llvm::join(jitted, ", "),
                close.empty() ? "" : "did you mean " + close.str() + "?");
  }
  NameSet called;
  for (StringRef candidate : jitted) {
    NameSet here;
    collectCalled(functionOf(candidate)->body, here);
    here.remove(candidate);
    called.insert(here.begin(), here.end());
  }
  llvm::SmallVector<StringRef> roots;
  for (StringRef candidate : jitted)
    if (!called.contains(candidate))
      roots.push_back(candidate);
  if (roots.size() == 1)
    return functionOf(roots.front());
  return fail("the file has several kernels: " + llvm::join(roots.empty() ? jitted : roots, ", "),
              "say which one to compile");
}

bool CodeGen::bindSignature(const FunctionDefStmt *kernel, StringRef signature) {
  Diagnostic error;
  std::optional<std::vector<SignatureEntry>> entries = parseSignature(signature, error);
  if (!entries) {
    errors.push_back(error);
    return false;
  }
  llvm::SmallVector<const Parameter *> parameters = parametersOf(kernel);
  auto fail = [&](uint32_t offset, uint32_t length, std::string message, std::string remedy) {
    errors.push_back(
        signatureError(signature, offset, length, std::move(message), std::move(remedy)));
    return false;
  };
  auto namesOf = [&] {
    std::string names;
    for (const Parameter *parameter : parameters)
      names += (names.empty() ? "" : ", ") + std::string(parameter->name);
    return names;
  };
  if (entries->size() != parameters.size()) {
    bool few = entries->size() < parameters.size();
    uint32_t offset =
        few ? static_cast<uint32_t>(signature.size()) : (*entries)[parameters.size()].offset;
    return fail(offset, few ? 1 : (*entries)[parameters.size()].length,
                "the signature has " + std::to_string(entries->size()) + " entries, but " +
                    std::string(kernel->name) + " has " + std::to_string(parameters.size()) +
                    " parameters",
                few ? "add the entry of '" + std::string(parameters[entries->size()]->name) +
                          "'; the parameters are " + namesOf()
                    : "the parameters are " + namesOf());
  }

  Frame kernelFrame;
  kernelFrame.function = kernel;
  llvm::SmallVector<mlir::Type> types;
  llvm::SmallVector<mlir::DictionaryAttr> attributes;
  llvm::SmallVector<std::pair<const Parameter *, DType>> dynamic;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const Parameter *parameter = parameters[i];
    const SignatureEntry &entry = (*entries)[i];
    bool isConstexpr = parameter->annotation && isConstexprAnnotation(parameter->annotation);
    KernelArgument &argument = arguments.emplace_back();
    argument.name = parameter->name;
    if (entry.constant) {
      kernelFrame.locals[parameter->name] = *entry.constant;
      argument.type = "constexpr";
      StringRef text = signature.substr(entry.offset, entry.length);
      // `i32:1` is the constant 1 as well.
      bool isInteger = entry.constant->kind == ValueKind::Integer;
      argument.value = isInteger ? entry.constant->repr() : text.str();
      continue;
    }
    argument.type = entry.type.str();
    argument.divisibility = static_cast<int>(entry.divisibility);
    if (isConstexpr)
      return fail(entry.offset, entry.length,
                  "the parameter '" + std::string(parameter->name) +
                      "' is a tl.constexpr and needs a value, not the type " + entry.type.str(),
                  "write its value, such as 128");
    types.push_back(entry.type.toMLIR(&context));
    mlir::NamedAttrList list;
    if (entry.divisibility > 1)
      list.set("tt.divisibility",
               emitter.builder.getI32IntegerAttr(static_cast<int32_t>(entry.divisibility)));
    attributes.push_back(list.getDictionary(&context));
    dynamic.emplace_back(parameter, entry.type);
  }

  emitter.builder.setInsertionPointToEnd(module->getBody());
  auto op = tt::FuncOp::create(
      emitter.builder, emitter.locationOf(kernel->begin), kernel->name,
      emitter.builder.getFunctionType(types, {}),
      {emitter.builder.getNamedAttr("sym_visibility", emitter.builder.getStringAttr("public")),
       emitter.builder.getNamedAttr("noinline", emitter.builder.getBoolAttr(false))},
      attributes);
  symbols.insert(kernel->name);
  mlir::Block *entryBlock = &op.getBody().emplaceBlock();
  for (auto [parameter, type] : dynamic)
    kernelFrame.locals[parameter->name] =
        Value::tensor(entryBlock->addArgument(type.toMLIR(&context),
                                              emitter.locationOf(kernel->begin, parameter->name)),
                      type);
  if (!generateBody(kernel, op, kernelFrame))
    return false;
  if (kernelFrame.result && !kernelFrame.result.isNone())
    return bool(emitter.failAt({kernel->nameAt, kernel->nameAt},
                               "the kernel '" + StringRef(kernel->name) + "' returns a value",
                               "store it through a pointer parameter"));
  return true;
}

//===--------------------------------------------------------------------------===//
// Bodies
//===--------------------------------------------------------------------------===//

llvm::SmallVector<const Parameter *> CodeGen::parametersOf(const FunctionDefStmt *function) {
  llvm::SmallVector<const Parameter *> all;
  for (const auto *list : {&function->parameters.positionalOnly, &function->parameters.positional,
                           &function->parameters.keywordOnly})
    for (const Parameter &parameter : *list)
      all.push_back(&parameter);
  return all;
}

bool CodeGen::checkDefinition(const FunctionDefStmt *function) {
  const Parameters &parameters = function->parameters;
  for (const Parameter *parameter : {parameters.variadic, parameters.keywords})
    if (parameter)
      return bool(emitter.failAt({parameter->begin, parameter->end},
                                 "a jitted function cannot take a variable number of arguments",
                                 "name each parameter"));
  llvm::StringSet<> names;
  for (const Parameter *parameter : parametersOf(function))
    if (!names.insert(parameter->name).second)
      return bool(emitter.failAt({parameter->begin, parameter->end},
                                 "the parameter '" + StringRef(parameter->name) +
                                     "' stands twice in the definition"));
  return true;
}

/// Generates the body into the entry block, which has its arguments already. The locals of
/// `newFrame` hold the parameters; its result is set.
bool CodeGen::generateBody(const FunctionDefStmt *function, tt::FuncOp op, Frame &newFrame) {
  newFrame.caller = frame;
  Frame *saved = frame;
  frame = &newFrame;
  Emitter::FunctionScope scope(emitter, &op.getBody().front());
  Flow flow = sequence(function->body, nullptr);
  frame = saved;
  if (flow == Flow::Failed)
    return false;
  if (flow == Flow::Next)
    newFrame.result = Value::none();
  llvm::SmallVector<mlir::Value> results;
  flatten(newFrame.result, results);
  Emitter::At at(emitter, {function->body.back()->begin, function->body.back()->end});
  tt::ReturnOp::create(emitter.builder, emitter.loc(), mlir::ValueRange(results));
  op.setFunctionType(
      emitter.builder.getFunctionType(op.getArgumentTypes(), mlir::ValueRange(results).getTypes()));
  return true;
}

//===--------------------------------------------------------------------------===//
// Calls
//===--------------------------------------------------------------------------===//

void frontend::flatten(const Value &value, llvm::SmallVectorImpl<mlir::Value> &flat) {
  if (value.isTensor() || value.isDescriptor())
    flat.push_back(value.ssa);
  if (value.isTuple() || value.isDescriptor())
    for (const Value &element : *value.elements)
      flatten(element, flat);
}

Value frontend::rebuild(const Value &value, mlir::ValueRange flat, size_t &next) {
  if (value.isTensor())
    return Value::tensor(flat[next++], value.type);
  if (!value.isTuple() && !value.isDescriptor())
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
  } else if (value.isTuple() || value.isDescriptor()) {
    key +=
        value.isTuple() ? "t" + std::to_string(value.elements->size()) : "desc_" + value.type.str();
    for (const Value &element : *value.elements) {
      key += '_';
      appendKey(key, element);
    }
  } else if (value.kind == ValueKind::Function) {
    key += "c" + std::string(value.function->name);
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

bool CodeGen::bindParameters(const FunctionDefStmt *function, llvm::ArrayRef<GivenArgument> given,
                             llvm::SmallVectorImpl<Value> &values) {
  llvm::SmallVector<const Parameter *> parameters = parametersOf(function);
  size_t positionalCount =
      function->parameters.positionalOnly.size() + function->parameters.positional.size();
  StringRef name(function->name);
  values.assign(parameters.size(), Value());
  llvm::SmallVector<bool> isGiven(parameters.size(), false);
  size_t next = 0;
  for (const GivenArgument &argument : given) {
    size_t index = next;
    if (argument.keyword.empty()) {
      if (next >= positionalCount)
        return bool(emitter.failAt(
            argument.place,
            name + " takes " + llvm::Twine(positionalCount) + " positional arguments", ""));
      ++next;
    } else {
      for (index = 0; index < parameters.size(); ++index)
        if (StringRef(parameters[index]->name) == argument.keyword &&
            index >= function->parameters.positionalOnly.size())
          break;
      if (index == parameters.size()) {
        llvm::SmallVector<StringRef> names;
        for (const Parameter *parameter : parameters)
          names.push_back(parameter->name);
        StringRef close = closestOf(argument.keyword, names);
        return bool(emitter.failAt(argument.place,
                                   name + " has no parameter '" + argument.keyword + "'",
                                   close.empty() ? "its parameters are " + llvm::join(names, ", ")
                                                 : "did you mean '" + close.str() + "'?"));
      }
    }
    if (isGiven[index])
      return bool(emitter.failAt(argument.place, name + ": the argument '" +
                                                     StringRef(parameters[index]->name) +
                                                     "' is given twice"));
    bool isConstexpr =
        parameters[index]->annotation && isConstexprAnnotation(parameters[index]->annotation);
    if (isConstexpr && !argument.value.isConstant())
      return bool(emitter.failAt(argument.place,
                                 name + ": '" + StringRef(parameters[index]->name) +
                                     "' is a tl.constexpr and needs a constant, not " +
                                     argument.value.describe(),
                                 "declare what is passed `: tl.constexpr`, or the parameter not"));
    isGiven[index] = true;
    values[index] = argument.value;
  }
  // Defaults belong to the last positional parameters, and to keyword-only ones.
  const Exprs &defaults = function->parameters.defaults;
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (isGiven[i])
      continue;
    const Expr *value = nullptr;
    if (i >= positionalCount)
      value = function->parameters.keywordDefaults[i - positionalCount];
    else if (i + defaults.size() >= positionalCount)
      value = defaults[i + defaults.size() - positionalCount];
    if (!value)
      return bool(emitter.fail(name + ": the argument '" + StringRef(parameters[i]->name) +
                               "' is missing"));
    Frame *saved = frame;
    frame = nullptr;
    values[i] = evaluate(value);
    frame = saved;
    if (!values[i])
      return false;
  }
  return true;
}

Value CodeGen::callFunction(const FunctionDefStmt *function, llvm::ArrayRef<GivenArgument> given) {
  Place callPlace = emitter.here();
  if (inPython())
    return emitter.fail("'" + StringRef(function->name) +
                            "' is compiled for the kernel, and is called outside of a kernel",
                        "put @triton.constexpr_function before it if it computes with constants");
  unsigned depth = 0;
  for (const Frame *active = frame; active; active = active->caller) {
    if (++depth > maxCallDepth)
      return emitter.fail("calls are nested more than " + llvm::Twine(maxCallDepth) + " deep");
    if (active->function == function)
      return emitter.fail("'" + StringRef(function->name) +
                              "' calls itself; a kernel cannot recurse",
                          "write a loop");
  }
  llvm::SmallVector<Value> arguments;
  if (!checkDefinition(function) || !bindParameters(function, given, arguments))
    return {};
  for (size_t i = 0; i < arguments.size(); ++i)
    if (!arguments[i].isTensor() && !arguments[i].isTuple() && !arguments[i].isDescriptor() &&
        !arguments[i].isConstant())
      return emitter.fail(arguments[i].describe() + " cannot be passed to a function");

  if (isNoInline(function))
    for (size_t i = 0; i < arguments.size(); ++i)
      if (arguments[i].isBlock())
        return emitter.fail("'" + StringRef(function->name) +
                                "' is noinline, so that it can take scalars only, not " +
                                arguments[i].describe(),
                            "leave noinline=True out, or pass a pointer and load in the function");

  Specialization *specialization = specialize(function, arguments);
  if (!specialization) {
    noteCall(function, callPlace);
    return {};
  }
  llvm::SmallVector<mlir::Value> operands;
  for (const Value &argument : arguments)
    flatten(argument, operands);
  auto call = tt::CallOp::create(emitter.builder, emitter.loc(), specialization->op,
                                 mlir::ValueRange(operands));
  size_t next = 0;
  return rebuild(specialization->result, call.getResults(), next);
}

void CodeGen::noteCall(const FunctionDefStmt *function, Place place) {
  if (errors.empty())
    return;
  Diagnostic note;
  note.severity = Severity::Note;
  note.where = {errors.back().where.file, static_cast<int>(place.begin.line),
                static_cast<int>(place.begin.column), 1};
  note.message = "in the call of '" + std::string(function->name) + "' from here";
  errors.back().notes.push_back(std::move(note));
}

CodeGen::Specialization *CodeGen::specialize(const FunctionDefStmt *function,
                                             llvm::ArrayRef<Value> arguments) {
  std::string key = std::string(function->name) + "__";
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
  mlir::OpBuilder::InsertionGuard guard(emitter.builder);
  emitter.builder.setInsertionPointToEnd(module->getBody());
  auto op = tt::FuncOp::create(
      emitter.builder, emitter.locationOf(function->begin), symbolFor(key),
      emitter.builder.getFunctionType(mlir::ValueRange(operands).getTypes(), {}),
      {emitter.builder.getNamedAttr("sym_visibility", emitter.builder.getStringAttr("private")),
       emitter.builder.getNamedAttr("noinline",
                                    emitter.builder.getBoolAttr(isNoInline(function)))});
  mlir::Block *entryBlock = &op.getBody().emplaceBlock();

  Frame callee;
  callee.function = function;
  llvm::SmallVector<const Parameter *> parameters = parametersOf(function);
  for (size_t i = 0; i < parameters.size(); ++i) {
    llvm::SmallVector<mlir::Value> own;
    flatten(arguments[i], own);
    llvm::SmallVector<mlir::Value> inside;
    for (mlir::Value value : own)
      inside.push_back(entryBlock->addArgument(
          value.getType(), emitter.locationOf(function->begin, parameters[i]->name)));
    size_t next = 0;
    callee.locals[parameters[i]->name] = rebuild(arguments[i], inside, next);
  }
  Emitter::Naming naming(emitter, {});
  if (!generateBody(function, op, callee))
    return nullptr;
  Specialization &made = specializations[key];
  made = {op, callee.result};
  return &made;
}
