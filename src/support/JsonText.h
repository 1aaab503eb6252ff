//===- JsonText.h - A writer of JSON text ---------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// JSON of layouts and plans: numbers and fixed words, nothing that would have to be escaped. Texts
// of users are written by llvm::json or nlohmann-json instead, which escape them.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_SUPPORT_JSONTEXT_H
#define TILEWRIGHT_SUPPORT_JSONTEXT_H

#include <cstdint>
#include <string>
#include <string_view>

namespace tilewright {

/// An object that is being written, its members in the order of the calls.
class JsonObject {
public:
  JsonObject &number(std::string_view key, uint64_t value) {
    return raw(key, std::to_string(value));
  }
  /// `value` has nothing that would have to be escaped.
  JsonObject &word(std::string_view key, std::string_view value) {
    return raw(key, "\"" + std::string(value) + "\"");
  }
  JsonObject &boolean(std::string_view key, bool value) {
    return raw(key, value ? "true" : "false");
  }
  /// `value` is JSON.
  JsonObject &raw(std::string_view key, std::string_view value) {
    text += (text.empty() ? "\"" : ", \"") + std::string(key) + "\": " + std::string(value);
    return *this;
  }
  std::string str() const { return "{" + text + "}"; }

private:
  std::string text;
};

/// An array of what `write` makes of each item: JSON.
template <typename List, typename Write> std::string jsonArray(const List &items, Write write) {
  std::string text;
  for (const auto &item : items)
    text += (text.empty() ? "" : ", ") + write(item);
  return "[" + text + "]";
}

template <typename List> std::string jsonNumbers(const List &numbers) {
  return jsonArray(numbers, [](uint64_t n) { return std::to_string(n); });
}

} // namespace tilewright

#endif // TILEWRIGHT_SUPPORT_JSONTEXT_H
