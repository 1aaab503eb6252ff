//===- NamedTuples.cpp - Named tuples -----------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// `class View(NamedTuple)` with annotated names, and collections.namedtuple, as in Python. Their
// tuples are tuples, whose elements have names besides.
//
//===--------------------------------------------------------------------------===//

#include "frontend/interpret/Interpreter.h"

#include "llvm/ADT/StringExtras.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

Value Interpreter::makeTupleClass(llvm::ArrayRef<GivenArgument> given) {
  if (given.size() < 2 || given[0].value.kind != ValueKind::String)
    return {};
  TupleClass made;
  made.name = given[0].value.text;
  const Value &fields = given[1].value;
  if (fields.isTuple()) {
    for (const Value &field : *fields.elements)
      made.fields.emplace_back(field.text);
  } else if (fields.kind == ValueKind::String) {
    llvm::SmallVector<StringRef> names;
    StringRef(fields.text).split(names, ' ', -1, /*KeepEmpty=*/false);
    for (StringRef name : names)
      made.fields.push_back(name.trim(", ").str());
  }
  for (const GivenArgument &argument : given.drop_front(2)) {
    if (argument.keyword != "defaults" || !argument.value.isTuple())
      return {};
    made.defaults = *argument.value.elements;
  }
  if (llvm::is_contained(made.fields, "") || made.defaults.size() > made.fields.size())
    return {};
  return Value::ofTupleClass(resolver.classes.add(std::move(made)));
}

Value Interpreter::makeNamedTuple(const TupleClass &tupleClass,
                                  llvm::ArrayRef<GivenArgument> given) {
  const size_t count = tupleClass.fields.size();
  const std::string names =
      "the elements of " + tupleClass.name + " are " + llvm::join(tupleClass.fields, ", ");
  std::vector<Value> elements(count);
  size_t next = 0;
  for (const GivenArgument &argument : given) {
    std::optional<size_t> index =
        argument.keyword.empty() ? std::optional(next++) : tupleClass.find(argument.keyword);
    if (!index)
      return tb.failAt(argument.span,
                       tupleClass.name + " has no element '" + argument.keyword + "'", names);
    if (*index >= count)
      return tb.failAt(argument.span,
                       tupleClass.name + " has " + llvm::Twine(count) +
                           " elements, and this is one more",
                       names);
    if (elements[*index])
      return tb.failAt(argument.span,
                       tupleClass.name + ": the element '" + tupleClass.fields[*index] +
                           "' is given twice",
                       "give it once, by its place or by its name");
    elements[*index] = argument.value;
  }
  const size_t required = count - tupleClass.defaults.size();
  for (size_t i = 0; i < count; ++i) {
    if (elements[i])
      continue;
    if (i < required)
      return tb.fail(tupleClass.name + ": the element '" + tupleClass.fields[i] + "' is missing",
                     names);
    elements[i] = tupleClass.defaults[i - required];
  }
  Value tuple = tb.makeTuple(std::move(elements));
  tuple.tupleClass = &tupleClass;
  return tuple;
}
