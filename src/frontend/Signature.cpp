//===- Signature.cpp - What a kernel is compiled for --------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/Signature.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include <charconv>
#include <limits>

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

static const char *const allowed =
    "a type (i1, i8 to i64, u8 to u64, fp16, bf16, fp32, fp64, fp8e4nv, fp8e5, `*` before it for a "
    "pointer, `:16` after it for divisibility), or a constant (1024, 0.5, True, None, 'text', "
    "tl.float16)";

Diagnostic frontend::signatureError(StringRef text, uint32_t offset, uint32_t length,
                                    std::string message, std::string remedy) {
  Diagnostic error;
  error.where = {"<signature>", 1, static_cast<int>(offset) + 1,
                 static_cast<int>(std::max<uint32_t>(length, 1))};
  error.message = std::move(message);
  error.remedy = std::move(remedy);
  error.sourceLine = text.str();
  for (char &c : error.sourceLine)
    if (c == '\n' || c == '\r')
      c = ' ';
  return error;
}

/// A number as Python writes it: decimal or 0x integers, floats, inf and nan.
static std::optional<Value> numberOf(StringRef text) {
  StringRef digits = text;
  bool negative = digits.consume_front("-");
  if (!negative)
    digits.consume_front("+");
  if (digits.empty() || !(llvm::isAlnum(digits[0]) || digits[0] == '.'))
    return std::nullopt;
  std::string compact;
  for (char c : digits)
    if (c != '_')
      compact += c;
  digits = compact;
  uint64_t integer;
  if (!digits.getAsInteger(digits.size() > 2 && digits.starts_with("0") ? 0 : 10, integer)) {
    Integer value = negative ? -static_cast<Integer>(integer) : static_cast<Integer>(integer);
    if (value < std::numeric_limits<int64_t>::min())
      return std::nullopt;
    return Value::ofInteger(value);
  }
  double number;
  auto result = std::from_chars(digits.begin(), digits.end(), number);
  if (result.ec != std::errc() || result.ptr != digits.end())
    return std::nullopt;
  return Value::ofFloat(negative ? -number : number);
}

std::optional<std::vector<SignatureEntry>> frontend::parseSignature(StringRef text,
                                                                    Diagnostic &error) {
  std::vector<SignatureEntry> entries;
  if (text.trim().empty())
    return entries;
  size_t at = 0;
  while (at <= text.size()) {
    // A comma inside quotes belongs to a string.
    size_t end = at;
    for (char quote = 0; end < text.size() && (quote || text[end] != ','); ++end) {
      if (quote ? text[end] == quote : (text[end] == '\'' || text[end] == '"'))
        quote = quote ? '\0' : text[end];
    }
    StringRef word = text.slice(at, end).trim();
    SignatureEntry entry;
    entry.offset = static_cast<uint32_t>(word.empty() ? at : word.data() - text.data());
    entry.length = static_cast<uint32_t>(word.size());
    auto fail = [&](std::string message, std::string remedy = allowed) {
      error =
          signatureError(text, entry.offset, entry.length, std::move(message), std::move(remedy));
      return std::nullopt;
    };
    at = end + 1;
    if (word.empty())
      return fail("entry " + std::to_string(entries.size() + 1) + " of the signature is empty");

    if (word == "None") {
      entry.constant = Value::none();
    } else if (word == "True" || word == "False") {
      entry.constant = Value::boolean(word == "True");
    } else if (word.front() == '\'' || word.front() == '"') {
      if (word.size() < 2 || word.back() != word.front())
        return fail("the string " + word.str() + " is not closed");
      entry.constant = Value::ofString(word.drop_front().drop_back());
    } else if (word.starts_with("tl.")) {
      std::optional<ScalarKind> scalar = scalarOfLanguageName(word.drop_front(3));
      if (!scalar)
        return fail("there is no type " + word.str());
      entry.constant = Value::ofType({*scalar, false});
    } else if (std::optional<Value> number = numberOf(word)) {
      entry.constant = *number;
    } else {
      auto [name, hint] = word.split(':');
      entry.type.pointer = name.consume_front("*");
      std::optional<ScalarKind> scalar = scalarOfSignatureName(name.trim());
      if (!scalar)
        return fail("there is no type '" + name.trim().str() + "'");
      entry.type.scalar = *scalar;
      if (word.contains(':')) {
        int64_t divisibility;
        if (hint.trim().getAsInteger(10, divisibility) || divisibility < 1 ||
            divisibility > (int64_t(1) << 30) || !llvm::isPowerOf2_64(divisibility))
          return fail("the divisibility '" + hint.trim().str() + "' is no power of two",
                      "write :16, or leave it out");
        if (divisibility == 1 && (entry.type.isPointer() || !entry.type.isInteger()))
          return fail("`:1` makes a scalar integer the constant 1; this is no scalar integer",
                      "leave it out");
        if (divisibility > 1 && entry.type.isFloat())
          return fail("a float has no divisibility", "leave `:" + hint.trim().str() + "` out");
        if (divisibility == 1)
          entry.constant = Value::ofInteger(1);
        entry.divisibility = divisibility;
      }
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}
