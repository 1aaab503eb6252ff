//===- HostValue.cpp - Values of host-side Python expressions -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "tune/HostValue.h"
#include "frontend/syntax/PythonRepr.h"

#include <algorithm>

using namespace tilewright;
using namespace tilewright::tune;

bool HostValue::isTrue() const {
  if (isNumber())
    return number() != 0;
  if (auto *string = as<std::string>())
    return !string->empty();
  if (auto *list = as<HostList>())
    return !list->empty();
  if (auto *dict = as<HostDict>())
    return !dict->empty();
  return as<HostConfig>();
}

std::string_view HostValue::typeName() const {
  static constexpr std::string_view names[] = {"NoneType", "bool", "int",  "float",
                                               "str",      "list", "dict", "Config"};
  return names[value.index()];
}

static std::string textOf(const HostDict &dict) {
  std::string text = "{";
  for (const auto &[name, value] : dict)
    text += (text.size() > 1 ? ", '" : "'") + name + "': " + value.text();
  return text + "}";
}

std::string HostValue::text() const {
  if (auto *flag = as<bool>())
    return *flag ? "True" : "False";
  if (auto *integer = as<int64_t>())
    return std::to_string(*integer);
  if (auto *number = as<double>())
    return frontend::reprOfFloat(*number);
  if (auto *string = as<std::string>())
    return frontend::reprOfString(*string);
  if (auto *list = as<HostList>()) {
    std::string text = "[";
    for (const HostValue &element : *list)
      text += (text.size() > 1 ? ", " : "") + element.text();
    return text + "]";
  }
  if (auto *dict = as<HostDict>())
    return textOf(*dict);
  if (auto *config = as<HostConfig>()) {
    std::string text = "Config(" + textOf(config->constants);
    for (const auto &[name, value] : config->options)
      text += ", " + name + "=" + value.text();
    return text + ")";
  }
  return "None";
}

bool tune::areEqual(const HostValue &a, const HostValue &b) {
  if (a.isInteger() && b.isInteger())
    return a.integer() == b.integer();
  if (a.isNumber() && b.isNumber())
    return a.number() == b.number();
  if (a.value.index() != b.value.index())
    return false;
  if (auto *list = a.as<HostList>())
    return std::equal(list->begin(), list->end(), b.as<HostList>()->begin(),
                      b.as<HostList>()->end(), areEqual);
  return a.text() == b.text();
}
