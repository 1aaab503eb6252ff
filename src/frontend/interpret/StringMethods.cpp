//===- StringMethods.cpp - Methods of strings ---------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Modules make strings - the text of inline assembly, parts of versions - where no kernel runs.
//
//===--------------------------------------------------------------------------===//

#include "frontend/interpret/Interpreter.h"

#include "llvm/ADT/StringExtras.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

/// `text.format(..)` with fields `{}`, `{0}` and `{name}`; nothing if a field is none of these.
static std::optional<std::string> formatted(StringRef text, llvm::ArrayRef<GivenArgument> given) {
  std::string result;
  size_t next = 0;
  while (!text.empty()) {
    if (text.consume_front("{{") || text.consume_front("}}")) {
      result += text.data()[-1];
      continue;
    }
    if (!text.consume_front("{")) {
      if (text.front() == '}')
        return std::nullopt;
      result += text.front();
      text = text.drop_front();
      continue;
    }
    const size_t end = text.find('}');
    if (end == StringRef::npos)
      return std::nullopt;
    const StringRef field = text.take_front(end);
    text = text.drop_front(end + 1);
    size_t index = next;
    const GivenArgument *found = nullptr;
    if (field.empty() || !field.getAsInteger(10, index)) {
      next += field.empty();
      if (index < given.size() && given[index].keyword.empty())
        found = &given[index];
    } else {
      for (const GivenArgument &one : given)
        if (one.keyword == field)
          found = &one;
    }
    if (!found || !found->value.isConstant())
      return std::nullopt;
    result += found->value.str();
  }
  return result;
}

std::optional<Value> Interpreter::callStringMethod(const Value &object, StringRef name,
                                                   const CallExpr *call) {
  static constexpr StringRef known[] = {"format", "join", "replace", "split", "strip"};
  if (object.kind != ValueKind::String || !llvm::is_contained(known, name))
    return std::nullopt;
  llvm::SmallVector<GivenArgument> given;
  if (!evaluateArguments(call, given))
    return Value();
  TritonBuilder::At span(tb, spanOf(call));
  const StringRef text(object.text);
  auto isText = [&](size_t index) {
    return index < given.size() && given[index].keyword.empty() &&
           given[index].value.kind == ValueKind::String;
  };
  auto textAt = [&](size_t index) { return StringRef(given[index].value.text); };
  if (name == "format") {
    if (std::optional<std::string> result = formatted(text, given))
      return tb.makeString(*result);
  } else if (name == "strip" && given.empty()) {
    return tb.makeString(text.trim(" \t\n\r\f\v"));
  } else if (name == "replace" && given.size() == 2 && isText(0) && isText(1) &&
             !textAt(0).empty()) {
    llvm::SmallVector<StringRef> parts;
    text.split(parts, textAt(0));
    return tb.makeString(llvm::join(parts, textAt(1)));
  } else if (name == "split" && given.size() <= 1 && (given.empty() || isText(0))) {
    llvm::SmallVector<StringRef> parts;
    if (given.empty())
      llvm::SplitString(text, parts, " \t\n\r\f\v");
    else if (!textAt(0).empty())
      text.split(parts, textAt(0));
    std::vector<Value> values;
    for (StringRef part : parts)
      values.push_back(tb.makeString(part));
    if (given.empty() || !textAt(0).empty())
      return tb.makeTuple(std::move(values), /*isList=*/true);
  } else if (name == "join" && given.size() == 1 && given[0].value.isTuple() &&
             llvm::all_of(*given[0].value.elements,
                          [](const Value &one) { return one.kind == ValueKind::String; })) {
    std::string result;
    for (const Value &one : *given[0].value.elements)
      result +=
          (&one == &given[0].value.elements->front() ? "" : text.str()) + std::string(one.text);
    return tb.makeString(result);
  }
  return tb.fail("these arguments of the method '" + name + "' of a string are not supported");
}
