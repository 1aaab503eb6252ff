//===- Signature.cpp - Kernel signatures: parameter types, hints and constants -===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/value/Signature.h"

#include "ir/tt/DescriptorArguments.h"
#include "ir/tt/Dialect.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include <charconv>
#include <limits>

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

static const char *const allowed =
    "a type (i1 or u1, i8 to i64, u8 to u64, fp16, bf16, fp32, fp64, fp8e4nv, fp8e5, `*` before "
    "it for a pointer, `:16` after it for divisibility), a constant (1024, 0.5, True, None, "
    "'text', tl.float16), or a tuple of these";

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

/// Reads `tensordesc<fp16[64, 32]>` and `tensordesc<fp16[64, 32]>:16`. Returns what is wrong with
/// it, or nothing.
static std::string readDescriptor(StringRef word, SignatureEntry &entry) {
  if (auto [type, hint] = word.rsplit(':'); word.contains(':') && type.rtrim().ends_with(">")) {
    if (hint.trim() != "16")
      return "the hint ':" + hint.trim().str() +
             "' is none of a tensor descriptor, whose rows are "
             "multiples of 16 bytes or not";
    entry.divisibility = tt::descriptorAlignment;
    word = type.rtrim();
  }
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
  sizes = sizes.rtrim();
  if (StringRef rest = sizes; rest.consume_back("nan") && rest.rtrim().consume_back(",")) {
    entry.padsWithNan = true;
    sizes = rest.rtrim().drop_back().rtrim();
  }
  if (auto [block, layout] = sizes.split(']'); layout.ltrim().starts_with(",")) {
    entry.layout = layout.ltrim().drop_front().trim();
    sizes = sizes.take_front(block.size() + 1);
  }
  if (sizes.contains(']') && !sizes.ends_with("]"))
    return "'" + sizes.split(']').second.ltrim(" ,").str() +
           "' is a layout of this tensor descriptor, which the compiler chooses";
  if (!sizes.ends_with("]"))
    return "the block's shape of this tensor descriptor is missing";
  entry.type = {*scalar, false};
  if (entry.padsWithNan && !entry.type.isFloat())
    return entry.type.str() + " has no NaN, which this tensor descriptor pads with";
  llvm::SmallVector<StringRef> words;
  sizes.drop_back().split(words, ',');
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

namespace {

/// Reads the entries of a signature, and of tuples in it.
class SignatureParser {
public:
  using Entries = std::optional<std::vector<SignatureEntry>>;

  SignatureParser(StringRef text, Diagnostic &error) : text(text), error(error) {}

  Entries parse() {
    return text.trim().empty() ? Entries(std::in_place) : parseList(text, nullptr);
  }

private:
  /// Tuples within each other.
  static constexpr unsigned maxDepth = 32;

  /// The entries of a list; of a tuple, which may end in a comma and have names, if `tuple` is one.
  Entries parseList(StringRef list, SignatureEntry *tuple);
  std::optional<SignatureEntry> parseEntry(StringRef word);
  std::optional<SignatureEntry> parseType(StringRef word, SignatureEntry entry);
  std::optional<SignatureEntry> parseTuple(StringRef word, SignatureEntry entry);
  /// What stands before the next comma that is in no string, angle or tuple.
  static StringRef firstWord(StringRef list);
  std::nullopt_t fail(const SignatureEntry &entry, std::string message,
                      std::string remedy = allowed) {
    error = signatureError(text, entry.offset, entry.length, std::move(message), std::move(remedy));
    return std::nullopt;
  }
  SignatureEntry entryAt(StringRef word, StringRef list) const {
    SignatureEntry entry;
    entry.offset = static_cast<uint32_t>((word.empty() ? list.data() : word.data()) - text.data());
    entry.length = static_cast<uint32_t>(word.size());
    return entry;
  }

  const StringRef text;
  Diagnostic &error;
  unsigned depth = 0;
};

} // namespace

StringRef SignatureParser::firstWord(StringRef list) {
  size_t angles = 0, tuples = 0, end = 0;
  for (char quote = 0; end < list.size(); ++end) {
    const char c = list[end];
    if (quote || c == '\'' || c == '"')
      quote = !quote ? c : c == quote ? '\0' : quote;
    else if (c == ',' && !angles && !tuples)
      break;
    else if (c == '<' || c == '(')
      ++(c == '<' ? angles : tuples);
    else if ((c == '>' && angles) || (c == ')' && tuples))
      --(c == '>' ? angles : tuples);
  }
  return list.take_front(end);
}

/// Whether the text can be a name of Python's.
static bool isName(StringRef text) {
  return !text.empty() && !llvm::isDigit(text.front()) &&
         llvm::all_of(text, [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

/// Whether the entry is a layout of Gluon's: `BlockedLayout([1], [32], [4], [0])`.
static bool isLayoutText(StringRef word) {
  const StringRef name = word.take_until([](char c) { return c == '('; }).rtrim();
  const bool isLayout = name.ends_with("Layout") && name.size() > 6;
  const bool isType = name == "distributed_type" || name == "shared_memory_descriptor_type";
  return (isLayout || isType) && isName(name) && word.ends_with(")");
}

SignatureParser::Entries SignatureParser::parseList(StringRef list, SignatureEntry *tuple) {
  std::vector<SignatureEntry> entries;
  while (true) {
    const StringRef part = firstWord(list);
    StringRef word = part.trim();
    const bool isLast = part.size() == list.size();
    if (word.empty() && tuple && isLast)
      return entries;
    if (word.empty())
      return fail(entryAt(word, list), "entry " + std::to_string(entries.size() + 1) + " of the " +
                                           (tuple ? "tuple" : "signature") + " is empty");
    if (tuple && !tuple->tupleClass.name.empty()) {
      auto [name, rest] = word.split('=');
      if (!isName(name.trim()) || rest.trim().empty())
        return fail(entryAt(word, list), "an element of a named tuple needs its name",
                    "write the name before it: View(data=*fp32, size=i32)");
      tuple->tupleClass.fields.push_back(name.trim().str());
      word = rest.trim();
    }
    std::optional<SignatureEntry> entry = parseEntry(word);
    if (!entry)
      return std::nullopt;
    entries.push_back(std::move(*entry));
    if (entries.size() > Value::maxTupleParts)
      return fail(entries.back(), "there are more than " + std::to_string(Value::maxTupleParts) +
                                      " entries in one list");
    if (isLast)
      return entries;
    list = list.drop_front(part.size() + 1);
  }
}

std::optional<SignatureEntry> SignatureParser::parseTuple(StringRef word, SignatureEntry entry) {
  const size_t open = word.find('(');
  if (!word.ends_with(")"))
    return fail(entry, "the tuple " + word.str() + " is not closed");
  if (++depth > maxDepth)
    return fail(entry, "tuples are nested more than " + std::to_string(maxDepth) + " deep");
  entry.tupleClass.name = word.take_front(open).rtrim().str();
  Entries elements = parseList(word.drop_front(open + 1).drop_back(), &entry);
  --depth;
  if (!elements)
    return std::nullopt;
  entry.elements = std::move(*elements);
  return entry;
}

std::optional<SignatureEntry> SignatureParser::parseType(StringRef word, SignatureEntry entry) {
  auto [name, hint] = word.split(':');
  entry.type.pointer = name.consume_front("*");
  entry.type.isConst = entry.type.pointer && name.consume_front("k");
  std::optional<ScalarKind> scalar = scalarOfSignatureName(name.trim());
  if (!scalar)
    return fail(entry, "there is no type '" + name.trim().str() + "'");
  entry.type.scalar = *scalar;
  if (!word.contains(':'))
    return entry;
  int64_t divisibility;
  if (hint.trim().getAsInteger(10, divisibility) || divisibility < 1 ||
      divisibility > (int64_t(1) << 30) || !llvm::isPowerOf2_64(divisibility))
    return fail(entry, "the divisibility '" + hint.trim().str() + "' is no power of two",
                "write :16, or leave it out");
  if (divisibility == 1 && (entry.type.isPointer() || !entry.type.isInteger()))
    return fail(entry, "`:1` makes a scalar integer the constant 1; this is no scalar integer",
                "leave it out");
  if (divisibility > 1 && entry.type.isFloat())
    return fail(entry, "a float has no divisibility", "leave `:" + hint.trim().str() + "` out");
  if (divisibility == 1)
    entry.constant = Value::ofInteger(1);
  entry.divisibility = divisibility;
  return entry;
}

std::optional<SignatureEntry> SignatureParser::parseEntry(StringRef word) {
  SignatureEntry entry = entryAt(word, word);
  if (word == "None") {
    entry.constant = Value::none();
  } else if (word == "True" || word == "False") {
    entry.constant = Value::boolean(word == "True");
  } else if (word.front() == '\'' || word.front() == '"') {
    if (word.size() < 2 || word.back() != word.front())
      return fail(entry, "the string " + word.str() + " is not closed");
    entry.constant = Value::ofString(word.drop_front().drop_back());
  } else if (word.starts_with("tl.")) {
    std::optional<ScalarKind> scalar = scalarOfLanguageName(word.drop_front(3));
    if (!scalar)
      return fail(entry, "there is no type " + word.str());
    entry.constant = Value::ofType({*scalar, false});
  } else if (word.front() == '@') {
    entry.function = word.drop_front();
    if (!isName(entry.function))
      return fail(entry, "'" + entry.function.str() + "' is no name of a function");
  } else if (std::optional<Value> number = numberOf(word)) {
    entry.constant = *number;
  } else if (word.starts_with("tensordesc<") || word.starts_with("tensordesc ") ||
             word == "tensordesc") {
    if (std::string wrong = readDescriptor(word, entry); !wrong.empty())
      return fail(entry, wrong,
                  "write the elements' type and the block's shape: "
                  "tensordesc<fp16[64, 32]>");
  } else if (isLayoutText(word)) {
    entry.layout = word;
  } else if (StringRef before = word.take_until([](char c) { return c == '('; }).rtrim();
             word.contains('(') && (before.empty() || isName(before))) {
    return parseTuple(word, std::move(entry));
  } else {
    return parseType(word, std::move(entry));
  }
  return entry;
}

std::optional<std::vector<SignatureEntry>> frontend::parseSignature(StringRef text,
                                                                    Diagnostic &error) {
  return SignatureParser(text, error).parse();
}
