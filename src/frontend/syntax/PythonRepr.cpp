//===- PythonRepr.cpp - Constants in the form of Python's repr() --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/syntax/PythonRepr.h"

#include "frontend/syntax/Utf8.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <vector>

using namespace tilewright;
using namespace tilewright::frontend;

std::string frontend::reprOfFloat(double value) {
  if (std::isnan(value))
    return "nan";
  if (std::isinf(value))
    return value < 0 ? "-inf" : "inf";
  // Shortest digits in scientific form: d[.ddd]e[+-]xx.
  char buffer[64];
  auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific);
  std::string_view text(buffer, end.ptr - buffer);
  std::string out;
  if (text[0] == '-') {
    out = "-";
    text.remove_prefix(1);
  }
  size_t mark = text.find('e');
  int exponent = std::atoi(std::string(text.substr(mark + 1)).c_str());
  std::string digits(1, text[0]);
  if (mark > 2)
    digits += text.substr(2, mark - 2);

  // Python writes the point out for exponents from -4 to 15.
  if (exponent < -4 || exponent >= 16) {
    out += digits[0];
    if (digits.size() > 1)
      out += '.' + digits.substr(1);
    out += exponent < 0 ? "e-" : "e+";
    std::string magnitude = std::to_string(std::abs(exponent));
    out += magnitude.size() < 2 ? "0" + magnitude : magnitude;
  } else if (exponent < 0) {
    out += "0." + std::string(static_cast<size_t>(-exponent - 1), '0') + digits;
  } else {
    size_t whole = static_cast<size_t>(exponent) + 1;
    if (digits.size() < whole)
      digits.append(whole - digits.size(), '0');
    out += digits.substr(0, whole) + '.' +
           (digits.size() > whole ? digits.substr(whole) : std::string("0"));
  }
  return out;
}

static void appendHexadecimal(std::string &out, uint32_t value, int digits) {
  for (int i = digits - 1; i >= 0; --i)
    out += "0123456789abcdef"[value >> (4 * i) & 15];
}

/// An ASCII character between `quote`s.
static void appendAscii(std::string &out, unsigned char c, char quote) {
  if (c == '\\' || c == static_cast<unsigned char>(quote)) {
    out += '\\';
    out += static_cast<char>(c);
  } else if (c == '\n') {
    out += "\\n";
  } else if (c == '\r') {
    out += "\\r";
  } else if (c == '\t') {
    out += "\\t";
  } else if (c < 0x20 || c == 0x7f) {
    out += "\\x";
    appendHexadecimal(out, c, 2);
  } else {
    out += static_cast<char>(c);
  }
}

static char quoteFor(std::string_view text) {
  bool single = text.find('\'') != std::string_view::npos;
  bool twofold = text.find('"') != std::string_view::npos;
  return single && !twofold ? '"' : '\'';
}

/// Whether Python prints the character as it is: no spaces, separators, controls,
/// formats, surrogates or private use.
static bool prints(uint32_t codePoint) {
  auto within = [&](uint32_t low, uint32_t high) { return codePoint >= low && codePoint <= high; };
  return !(within(0x80, 0xa0) || codePoint == 0xad || codePoint == 0x1680 ||
           within(0x2000, 0x200f) || within(0x2028, 0x202f) || within(0x205f, 0x206f) ||
           codePoint == 0x3000 || within(0xd800, 0xf8ff) || codePoint == 0xfeff ||
           within(0xfff0, 0xfffb) || within(0xfffe, 0xffff) || codePoint >= 0xe0000);
}

std::string frontend::reprOfString(std::string_view text) {
  char quote = quoteFor(text);
  std::string out(1, quote);
  for (size_t at = 0; at < text.size();) {
    utf8::Decoded decoded = utf8::decode(text, at);
    if (decoded.length == 0)
      decoded = {static_cast<unsigned char>(text[at]), 1};
    if (decoded.codePoint < 0x80) {
      appendAscii(out, static_cast<unsigned char>(decoded.codePoint), quote);
    } else if (prints(decoded.codePoint)) {
      out += text.substr(at, decoded.length);
    } else if (decoded.codePoint < 0x100) {
      out += "\\x";
      appendHexadecimal(out, decoded.codePoint, 2);
    } else if (decoded.codePoint < 0x10000) {
      out += "\\u";
      appendHexadecimal(out, decoded.codePoint, 4);
    } else {
      out += "\\U";
      appendHexadecimal(out, decoded.codePoint, 8);
    }
    at += decoded.length;
  }
  return out + quote;
}

std::string frontend::reprOfBytes(std::string_view bytes) {
  char quote = quoteFor(bytes);
  std::string out = std::string("b") + quote;
  for (char c : bytes) {
    auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      appendAscii(out, byte, quote);
    } else {
      out += "\\x";
      appendHexadecimal(out, byte, 2);
    }
  }
  return out + quote;
}

std::string frontend::decimalOfInteger(std::string_view literal) {
  uint32_t base = 10;
  if (literal.size() > 2 && literal[0] == '0') {
    char mark = static_cast<char>(literal[1] | 0x20);
    base = mark == 'x' ? 16 : mark == 'o' ? 8 : mark == 'b' ? 2 : 10;
    if (base != 10)
      literal.remove_prefix(2);
  }
  // Digits to the base 10^9, the lowest first.
  std::vector<uint32_t> limbs{0};
  for (char c : literal) {
    uint64_t carry = c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
    for (uint32_t &limb : limbs) {
      carry += static_cast<uint64_t>(limb) * base;
      limb = static_cast<uint32_t>(carry % 1000000000);
      carry /= 1000000000;
    }
    if (carry != 0)
      limbs.push_back(static_cast<uint32_t>(carry));
  }
  std::string out = std::to_string(limbs.back());
  for (size_t i = limbs.size() - 1; i-- > 0;) {
    std::string part = std::to_string(limbs[i]);
    out += std::string(9 - part.size(), '0') + part;
  }
  return out;
}
