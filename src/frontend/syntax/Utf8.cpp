//===- Utf8.cpp - Code points in UTF-8 text -----------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/syntax/Utf8.h"

using namespace tilewright;
using namespace tilewright::frontend;

utf8::Decoded utf8::decode(std::string_view text, size_t offset) {
  if (offset >= text.size())
    return {};
  auto lead = static_cast<unsigned char>(text[offset]);
  if (lead < 0x80)
    return {lead, 1};
  uint32_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || offset + length > text.size())
    return {};
  uint32_t codePoint = lead & (0xff >> (length + 1));
  for (uint32_t i = 1; i < length; ++i) {
    auto c = static_cast<unsigned char>(text[offset + i]);
    if ((c & 0xc0) != 0x80)
      return {};
    codePoint = codePoint << 6 | (c & 0x3f);
  }
  uint32_t least = length == 4 ? 0x10000 : length == 3 ? 0x800 : 0x80;
  if (codePoint < least || codePoint >= 0x110000)
    return {};
  return {codePoint, length};
}

void utf8::append(std::string &out, uint32_t codePoint) {
  auto tail = [&](uint32_t shift) { out += static_cast<char>(0x80 | (codePoint >> shift & 0x3f)); };
  if (codePoint < 0x80) {
    out += static_cast<char>(codePoint);
  } else if (codePoint < 0x800) {
    out += static_cast<char>(0xc0 | codePoint >> 6);
    tail(0);
  } else if (codePoint < 0x10000) {
    out += static_cast<char>(0xe0 | codePoint >> 12);
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xf0 | codePoint >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
}

bool utf8::isIdentifier(uint32_t codePoint) {
  auto within = [&](uint32_t low, uint32_t high) { return codePoint >= low && codePoint <= high; };
  if (codePoint < 0xc0)
    return codePoint == 0xaa || codePoint == 0xb5 || codePoint == 0xb7 || codePoint == 0xba;
  if (codePoint == 0xd7 || codePoint == 0xf7)
    return false;
  if (within(0x2071, 0x2071) || within(0x207f, 0x207f) || within(0x2090, 0x209c))
    return true;
  // General punctuation and all symbol blocks up to the CJK radicals, of which the
  // letter-like block alone has letters; then CJK punctuation.
  if (within(0x2000, 0x2bff))
    return within(0x2102, 0x2139) && codePoint != 0x2116 && codePoint != 0x2117;
  if (within(0x2e00, 0x3004) || within(0x3008, 0x3020) || within(0x3030, 0x3030))
    return false;
  // Surrogates, private use, presentation forms of punctuation, specials.
  if (within(0xd800, 0xf8ff) || within(0xfe10, 0xfe1f) || within(0xfe30, 0xfe6f) ||
      within(0xfeff, 0xff0f) || within(0xff1a, 0xff20) || within(0xffe0, 0xffff))
    return false;
  return !within(0x1f000, 0x1faff) && codePoint < 0xe0000;
}
