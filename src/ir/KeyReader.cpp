//===- KeyReader.cpp - Parser of an encoding's keys ---------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/KeyReader.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::ir;

ParseResult ir::parseNumber(AsmParser &parser, const Twine &what, unsigned &value) {
  SMLoc loc = parser.getCurrentLocation();
  int64_t number = 0;
  if (parser.parseInteger(number))
    return failure();
  if (number < 0 || number > std::numeric_limits<int32_t>::max())
    return parser.emitError(loc) << what << " must be a 32-bit number that is not negative";
  value = number;
  return success();
}

LogicalResult KeyReader::open() {
  if (parser.parseLess() || failed(openBraces()) || parser.parseGreater())
    return failure();
  return success();
}

LogicalResult KeyReader::openBraces() {
  DictionaryAttr dictionary;
  if (parser.parseAttribute(dictionary))
    return failure();
  take(dictionary);
  return success();
}

FailureOr<KeyReader> KeyReader::nested(StringRef key, StringRef name) {
  Attribute attr = take(key);
  if (!attr)
    return absent(key, Presence::Required);
  auto dictionary = dyn_cast<DictionaryAttr>(attr);
  if (!dictionary)
    return error(key) << " must be keys and values in braces";
  KeyReader inner(parser, name);
  inner.loc = loc;
  inner.take(dictionary);
  return inner;
}

LogicalResult KeyReader::integer(StringRef key, unsigned &value, Presence presence) {
  Attribute attr = take(key);
  if (!attr)
    return absent(key, presence);
  auto number = dyn_cast<IntegerAttr>(attr);
  if (!number || isa<BoolAttr>(attr) || number.getValue().getSignificantBits() > 32 ||
      number.getValue().isNegative())
    return error(key) << " must be a number that is not negative";
  value = number.getValue().getZExtValue();
  return success();
}

LogicalResult KeyReader::boolean(StringRef key, bool &value, Presence presence) {
  Attribute attr = take(key);
  if (!attr)
    return absent(key, presence);
  auto truth = dyn_cast<BoolAttr>(attr);
  if (!truth)
    return error(key) << " must be true or false";
  value = truth.getValue();
  return success();
}

LogicalResult KeyReader::integers(StringRef key, std::vector<unsigned> &values, Presence presence) {
  Attribute attr = take(key);
  if (!attr)
    return absent(key, presence);
  return numbers(key, attr, values);
}

LogicalResult KeyReader::bases(StringRef key, layout::LiteralBases &bases, unsigned &rank,
                               Presence presence) {
  Attribute attr = take(key);
  if (!attr)
    return absent(key, presence);
  auto list = dyn_cast<ArrayAttr>(attr);
  if (!list)
    return error(key) << " must be a list of bases such as [[0, 1], [1, 0]]";
  for (Attribute entry : list) {
    std::vector<unsigned> &basis = bases.emplace_back();
    if (failed(numbers(key, entry, basis)))
      return failure();
    size_t size = basis.size();
    if (size == 0 || (rank != 0 && size != rank))
      return parser.emitError(loc) << "the bases of '" << key << "' of " << encoding
                                   << " must all have one coordinate a dimension";
    rank = size;
  }
  return success();
}

LogicalResult KeyReader::attribute(StringRef key, Attribute &value) {
  value = take(key);
  return value ? success() : absent(key, Presence::Required);
}

LogicalResult KeyReader::close() {
  if (entries.empty())
    return success();
  StringRef first = entries.begin()->first;
  for (const auto &entry : entries)
    first = std::min(first, entry.first);
  return error() << " has no key '" << first << "'";
}

InFlightDiagnostic KeyReader::error() const { return parser.emitError(loc) << encoding; }

void KeyReader::take(DictionaryAttr dictionary) {
  for (NamedAttribute entry : dictionary)
    entries.insert({entry.getName().getValue(), entry.getValue()});
}

Attribute KeyReader::take(StringRef key) {
  auto found = entries.find(key);
  if (found == entries.end())
    return {};
  Attribute attr = found->second;
  entries.erase(found);
  return attr;
}

LogicalResult KeyReader::absent(StringRef key, Presence presence) const {
  if (presence == Presence::Optional)
    return success();
  return error() << " needs the key '" << key << "'";
}

InFlightDiagnostic KeyReader::error(StringRef key) const {
  return parser.emitError(loc) << "'" << key << "' of " << encoding;
}

LogicalResult KeyReader::numbers(StringRef key, Attribute attr,
                                 std::vector<unsigned> &values) const {
  auto list = dyn_cast<ArrayAttr>(attr);
  if (!list)
    return error(key) << " must be a list of numbers";
  for (Attribute entry : list) {
    auto number = dyn_cast<IntegerAttr>(entry);
    if (!number || isa<BoolAttr>(entry) || number.getValue().getSignificantBits() > 32)
      return error(key) << " must hold 32-bit numbers";
    if (number.getValue().isNegative())
      return error(key) << " has a negative entry";
    values.push_back(number.getValue().getZExtValue());
  }
  return success();
}
