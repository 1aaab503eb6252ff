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
  if (const Parameter *parameter = kernel->parameters.variadic) {
    emitter.failAt({parameter->begin, parameter->end},
                   "a kernel cannot take a variable number of arguments",
                   "name each parameter; functions that kernels call may have `*args`");
    return {};
  }
  if (hasJitFlag(kernel, "debug"))
    setAssertions(true);
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

/// "a, b, c"
static std::string namesOf(llvm::ArrayRef<const Parameter *> parameters) {
  std::string names;
  for (const Parameter *parameter : parameters)
    names += (names.empty() ? "" : ", ") + std::string(parameter->name);
  return names;
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
  // Entries at the end may be left out where the parameter has a constant to stand in.
  size_t givenEntries = entries->size();
  while (entries->size() < parameters.size()) {
    const Expr *otherwise = defaultOf(kernel, entries->size());
    Value value = otherwise ? evaluateInModule(otherwise) : Value();
    if (emitter.failed())
      return false;
    if (!value.isConstant())
      break;
    SignatureEntry &entry = entries->emplace_back();
    entry.constant = std::move(value);
  }
  if (entries->size() != parameters.size()) {
    bool few = entries->size() < parameters.size();
    uint32_t offset =
        few ? static_cast<uint32_t>(signature.size()) : (*entries)[parameters.size()].offset;
    return fail(offset, few ? 1 : (*entries)[parameters.size()].length,
                "the signature has " + std::to_string(givenEntries) + " entries, but " +
                    std::string(kernel->name) + " has " + std::to_string(parameters.size()) +
                    " parameters",
                few ? "add the entry of '" + std::string(parameters[entries->size()]->name) +
                          "'; the parameters are " + namesOf(parameters)
                    : "the parameters are " + namesOf(parameters));
  }

  Frame kernelFrame;
  kernelFrame.function = kernel;
  llvm::SmallVector<mlir::Type> types;
  llvm::SmallVector<mlir::DictionaryAttr> attributes;
  llvm::SmallVector<std::tuple<size_t, StringRef, DType>> dynamic;
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
      argument.value = isInteger || i >= givenEntries ? entry.constant->repr() : text.str();
      continue;
    }
    if (!entry.block.empty()) {
      arguments.pop_back();
      addDescriptorParameter(*parameter, entry, types, attributes, kernelFrame);
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
    attributes.push_back(divisibilityAttribute(entry.divisibility));
    dynamic.emplace_back(types.size() - 1, parameter->name, entry.type);
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
  for (mlir::Type type : types)
    entryBlock->addArgument(type, emitter.locationOf(kernel->begin));
  for (auto [index, name, type] : dynamic) {
    entryBlock->getArgument(index).setLoc(emitter.locationOf(kernel->begin, name));
    kernelFrame.locals[name] = Value::tensor(entryBlock->getArgument(index), type);
  }
  if (!generateBody(kernel, op, kernelFrame))
    return false;
  if (kernelFrame.result && !kernelFrame.result.isNone())
    return bool(emitter.failAt({kernel->nameAt, kernel->nameAt},
                               "the kernel '" + StringRef(kernel->name) + "' returns a value",
                               "store it through a pointer parameter"));
  return true;
}

mlir::DictionaryAttr CodeGen::divisibilityAttribute(int64_t divisibility) {
  mlir::NamedAttrList list;
  if (divisibility > 1)
    list.set("tt.divisibility",
             emitter.builder.getI32IntegerAttr(static_cast<int32_t>(divisibility)));
  return list.getDictionary(&context);
}

/// A kernel takes a descriptor as the pointer, the sizes and the strides but the last, which is
/// 1; the body begins with making the descriptor of them. As for the hardware's descriptors, the
/// pointer and the strides are multiples of 16 bytes.
void CodeGen::addDescriptorParameter(const Parameter &parameter, const SignatureEntry &entry,
                                     llvm::SmallVectorImpl<mlir::Type> &types,
                                     llvm::SmallVectorImpl<mlir::DictionaryAttr> &attributes,
                                     Frame &kernelFrame) {
  kernelFrame.descriptors.push_back({parameter.name, types.size(), entry.type, entry.block});
  auto add = [&](const llvm::Twine &suffix, DType type, int divisibility) {
    types.push_back(type.toMLIR(&context));
    attributes.push_back(divisibilityAttribute(divisibility));
    KernelArgument &argument = arguments.emplace_back();
    argument.name = (StringRef(parameter.name) + suffix).str();
    argument.type = type.str();
    argument.divisibility = divisibility;
  };
  add("", entry.type.pointerTo(), 16);
  for (size_t i = 0; i < entry.block.size(); ++i)
    add(".shape." + llvm::Twine(i), {ScalarKind::Int32}, 1);
  int elements = static_cast<int>(16 / std::max(1u, entry.type.bits() / 8));
  for (size_t i = 0; i + 1 < entry.block.size(); ++i)
    add(".strides." + llvm::Twine(i), {ScalarKind::Int64}, elements);
}

/// Makes a descriptor parameter of the entry block's arguments.
void CodeGen::makeDescriptorParameter(const DescriptorParameter &parameter, mlir::Block &entry) {
  Emitter::At place(emitter, {frame->function->begin, frame->function->begin});
  Emitter::Naming naming(emitter, parameter.name);
  size_t next = parameter.firstArgument, rank = parameter.block.size();
  auto take = [&](DType type) { return Value::tensor(entry.getArgument(next++), type); };
  Value base = take(parameter.type.pointerTo());
  llvm::SmallVector<Value> shape, strides;
  for (size_t i = 0; i < rank; ++i)
    shape.push_back(take({ScalarKind::Int32}));
  for (size_t i = 0; i + 1 < rank; ++i)
    strides.push_back(take({ScalarKind::Int64}));
  strides.push_back(emitter.constant(Value::ofInteger(1), {ScalarKind::Int64}));
  frame->locals[parameter.name] =
      emitter.makeDescriptor(base, parameter.block, shape, strides, /*padsWithNan=*/false);
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
  if (function->parameters.variadic)
    all.push_back(function->parameters.variadic);
  return all;
}

bool CodeGen::checkDefinition(const FunctionDefStmt *function) {
  const Parameters &parameters = function->parameters;
  if (const Parameter *parameter = parameters.keywords)
    return bool(emitter.failAt({parameter->begin, parameter->end},
                               "a jitted function cannot take any keyword",
                               "name each parameter, or take a tuple"));
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
  for (const DescriptorParameter &parameter : newFrame.descriptors)
    makeDescriptorParameter(parameter, op.getBody().front());
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
  if (value.hasParts())
    for (const Value &element : *value.elements)
      flatten(element, flat);
}

Value frontend::rebuild(const Value &value, mlir::ValueRange flat, size_t &next) {
  if (value.isTensor())
    return Value::tensor(flat[next++], value.type);
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
  } else if (value.hasParts()) {
    key += value.isTuple()        ? "t" + std::to_string(value.elements->size())
           : value.isDescriptor() ? "desc_" + value.type.str()
                                  : "block_" + value.type.str();
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
  // The last parameter may take all further positional arguments, as a tuple.
  const bool isVariadic = function->parameters.variadic;
  const size_t named = parameters.size() - isVariadic;
  std::vector<Value> rest;
  size_t next = 0;
  for (const GivenArgument &argument : given) {
    size_t index = next;
    if (argument.keyword.empty()) {
      if (next >= positionalCount && isVariadic) {
        rest.push_back(argument.value);
        continue;
      }
      if (next >= positionalCount)
        return bool(emitter.failAt(
            argument.place,
            name + " takes " + llvm::Twine(positionalCount) + " positional argument" +
                (positionalCount == 1 ? "" : "s") + ", and this is one more",
            parameters.empty() ? "it has no parameters"
                               : "its parameters are " + namesOf(parameters)));
      ++next;
    } else {
      for (index = 0; index < named; ++index)
        if (StringRef(parameters[index]->name) == argument.keyword &&
            index >= function->parameters.positionalOnly.size())
          break;
      if (index == named) {
        llvm::SmallVector<StringRef> names;
        for (const Parameter *parameter : parameters)
          names.push_back(parameter->name);
        StringRef close = closestOf(argument.keyword, names);
        return bool(emitter.failAt(argument.place,
                                   name + " has no parameter '" + argument.keyword + "'",
                                   close.empty() ? "its parameters are " + namesOf(parameters)
                                                 : "did you mean '" + close.str() + "'?"));
      }
    }
    if (isGiven[index])
      return bool(emitter.failAt(argument.place,
                                 name + ": the argument '" + StringRef(parameters[index]->name) +
                                     "' is given twice",
                                 "give it once, by its place or by its name"));
    // A parameter declared `: tl.constexpr` takes what the kernel computes as well, as in Triton:
    // constants stay constants either way.
    isGiven[index] = true;
    values[index] = argument.value;
  }
  if (isVariadic)
    if (!(values.back() = emitter.makeTuple(std::move(rest))))
      return false;
  for (size_t i = 0; i < named; ++i) {
    if (isGiven[i])
      continue;
    const Expr *value = defaultOf(function, i);
    if (!value)
      return bool(emitter.fail(
          name + ": the argument '" + StringRef(parameters[i]->name) + "' is missing",
          "give it, or give the parameter a default; the parameters are " + namesOf(parameters)));
    values[i] = evaluateInModule(value);
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

Value CodeGen::evaluateInModule(const Expr *expr) {
  Frame *saved = frame;
  frame = nullptr;
  Value value = evaluate(expr);
  frame = saved;
  return value;
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
    if (!arguments[i].isTensor() && !arguments[i].hasParts() && !arguments[i].isConstant())
      return emitter.fail(arguments[i].describe() + " cannot be passed to a function");

  if (hasJitFlag(function, "noinline"))
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
       emitter.builder.getNamedAttr(
           "noinline", emitter.builder.getBoolAttr(hasJitFlag(function, "noinline")))});
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
