//===- Printing.cpp - Output of printing kernels ------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Printing takes a format of C's and a buffer in which the values lie one after the other, each
// aligned to its size: numbers of 32 bits take 4 bytes, all others 8. The text goes to the
// standard output at once: threads take their turns in order, so every run prints the same.
//
//===--------------------------------------------------------------------------===//

#include "simulate/RuntimeCalls.h"

#include <cstdio>
#include <cstring>
#include <string>

using namespace tilewright;
using namespace tilewright::simulate;

namespace {

/// The values of a buffer, in order.
class Values {
public:
  explicit Values(const char *buffer) : begin(buffer) {}

  template <typename T> T next() {
    offset = (offset + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    T value;
    std::memcpy(&value, begin + offset, sizeof(T));
    offset += sizeof(T);
    return value;
  }

private:
  const char *begin;
  size_t offset = 0;
};

template <typename T> std::string formatted(const std::string &specification, T value) {
  char text[512];
  std::snprintf(text, sizeof(text), specification.c_str(), value);
  return text;
}

} // namespace

/// `specification`: from '%' to the conversion, its last character.
static std::string print(const std::string &specification, Values &values) {
  const bool isLong = specification.find('l') != std::string::npos;
  switch (specification.back()) {
  case 'd':
  case 'i':
    return isLong ? formatted(specification, values.next<long long>())
                  : formatted(specification, values.next<int>());
  case 'u':
  case 'x':
    return isLong ? formatted(specification, values.next<unsigned long long>())
                  : formatted(specification, values.next<unsigned>());
  case 'f':
    return formatted(specification, values.next<double>());
  case 'p':
    return formatted(specification, values.next<void *>());
  default:
    return specification;
  }
}

static int printFormatted(const char *format, const char *buffer) {
  Values values(buffer);
  std::string text;
  for (const char *next = format; *next; ++next) {
    if (*next != '%') {
      text += *next;
      continue;
    }
    if (next[1] == '%') {
      text += *++next;
      continue;
    }
    std::string specification;
    do
      specification += *next;
    while (!std::strchr("diuxfpcs", *next) && *++next);
    text += print(specification, values);
    if (!*next)
      break;
  }
  std::fwrite(text.data(), 1, text.size(), stdout);
  return static_cast<int>(text.size());
}

std::span<const RuntimeSymbol> tilewright::simulate::printingSymbols() {
  static const RuntimeSymbol symbols[] = {
      {runtime_call::print, addressOf(printFormatted)},
  };
  return symbols;
}
