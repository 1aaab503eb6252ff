//===- Signature.cpp - Kernel signatures: parameter types, hints and constants -===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/value/Signature.h"

#include "ir/tt/Dialect.h"
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

/// Reads `tensordesc<fp16[64, 32]>`. Returns what is wrong with it, or nothing.
static std::string readDescriptor(StringRef word, SignatureEntry &entry) {
  StringRef inner = word.drop_front(StringRef("tensordesc").size()).trim();
  if (!inner.consume_front("<") || !inner.consume_back(">"))
    return "the type of this tensor descriptor is not complete";
  auto [name, sizes] = inner.split('[');
  std::optional<ScalarKind> scalar = scalarOfSignatureName(name.trim());
  // As IR spells it: f16.
  if (!scalar && name.trim().starts_with("f"))
    scalar = scalarOfSignatureName(("fp" + name.trim().drop_front()).str());
  if (!scalar)
    return "there is no type '" + name.trim().str() + "'";
  if (sizes.contains(']') && !sizes.trim().ends_with("]"))
    return "'" + sizes.split(']').second.ltrim(" ,").str() +
           "' is a layout of this tensor descriptor, which the compiler chooses";
  if (!sizes.trim().ends_with("]"))
    return "the block's shape of this tensor descriptor is missing";
  entry.type = {*scalar, false};
  llvm::SmallVector<StringRef> words;
  sizes.trim().drop_back().split(words, ',');
  if (words.size() > 5)
    return "a tensor descriptor has 1 to 5 dimensions";
  int64_t elements = 1;
  for (StringRef size : words) {
    int64_t number;
    if (size.trim().getAsInteger(10, number) || number < 1 || number > tt::maxTensorElements ||
        !llvm::isPowerOf2_64(number) || (elements *= number) > tt::maxTensorElements)
      return "'" + size.trim().str() + "' is no size of a block";
    entry.block.push_back(number);
  }
  if (entry.block.back() * std::max(1u, entry.type.bits() / 8) < 16)
    return "the rows of this tensor descriptor's blocks have less than 16 bytes";
  return "";
}

std::optional<std::vector<SignatureEntry>> frontend::parseSignature(StringRef text,
                                                                    Diagnostic &error) {
  std::vector<SignatureEntry> entries;
  if (text.trim().empty())
    return entries;
  size_t at = 0;
  while (at <= text.size()) {
    // A comma inside quotes belongs to a string, one inside angles to a descriptor.
    size_t end = at, angles = 0;
    for (char quote = 0; end < text.size() && (quote || angles || text[end] != ','); ++end) {
      if (quote ? text[end] == quote : (text[end] == '\'' || text[end] == '"'))
        quote = quote ? '\0' : text[end];
      else if (!quote && text[end] == '<')
        ++angles;
      else if (!quote && text[end] == '>' && angles)
        --angles;
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
    } else if (word.starts_with("tensordesc")) {
      if (std::string wrong = readDescriptor(word, entry); !wrong.empty())
        return fail(wrong, "write the elements' type and the block's shape: "
                           "tensordesc<fp16[64, 32]>");
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
