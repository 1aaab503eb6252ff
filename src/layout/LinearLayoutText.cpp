//===- LinearLayoutText.cpp - Printing and parsing of layouts -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "tilewright/layout/LinearLayout.h"

#include <charconv>

using namespace tilewright;
using namespace tilewright::layout;

namespace {

/// [[1, 0], [2, 0]]: the bases of one input dimension.
std::string basesText(const LinearLayout &layout, Dim in) {
  std::string text = "[";
  for (unsigned bit = 0; bit < layout.inBits(in); ++bit) {
    text += bit ? ", [" : "[";
    const char *separator = "";
    for (SizedDim out : layout.outs()) {
      text += separator + std::to_string(layout.basis(in, bit, out.dim));
      separator = ", ";
    }
    text += "]";
  }
  return text + "]";
}

std::string jsonKey(Dim dim) { return "\"" + std::string(dim.name()) + "\": "; }

std::string jsonSizes(std::span<const SizedDim> dims) {
  std::string text = "{";
  const char *separator = "";
  for (SizedDim d : dims) {
    text += separator + jsonKey(d.dim) + std::to_string(d.size());
    separator = ", ";
  }
  return text + "}";
}

/// Reads the text form. The first thing that is wrong sets `error`; from then on every
/// call fails.
class Parser {
public:
  explicit Parser(std::string_view text) : text(text) {}

  Result<LinearLayout> parse() {
    std::vector<InputBases> ins;
    std::vector<std::pair<Dim, uint64_t>> outs;
    parseList('{', '}', [&] {
      std::string_view name = parseName();
      expect('=');
      std::vector<std::vector<uint64_t>> bases;
      parseList('[', ']', [&] {
        bases.emplace_back();
        parseList('[', ']', [&] { bases.back().push_back(parseNumber()); });
      });
      if (error.empty())
        ins.push_back({Dim::get(name), std::move(bases)});
    });
    expect('-');
    expect('>');
    parseList('{', '}', [&] {
      std::string_view name = parseName();
      expect('=');
      uint64_t size = parseNumber();
      if (error.empty())
        outs.emplace_back(Dim::get(name), size);
    });
    skipBlanks();
    if (at != text.size())
      fail("the end of the layout");
    if (!error.empty())
      return Failure(error);
    return LinearLayout::fromBases(ins, outs);
  }

private:
  void skipBlanks() {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t' || text[at] == '\n'))
      ++at;
  }
  void fail(const std::string &expected) {
    if (error.empty())
      error = "expected " + expected + " at column " + std::to_string(at + 1);
  }
  bool accept(char c) {
    skipBlanks();
    if (!error.empty() || at >= text.size() || text[at] != c)
      return false;
    ++at;
    return true;
  }
  void expect(char c) {
    if (!accept(c))
      fail(std::string("'") + c + "'");
  }
  std::string_view parseName() {
    skipBlanks();
    size_t begin = at;
    auto isNameChar = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    while (at < text.size() && isNameChar(text[at]))
      ++at;
    if (at == begin)
      fail("the name of a dimension");
    return text.substr(begin, at - begin);
  }
  uint64_t parseNumber() {
    skipBlanks();
    uint64_t value = 0;
    auto [end, status] = std::from_chars(text.data() + at, text.data() + text.size(), value);
    if (status != std::errc())
      fail("a number below 2^64");
    else
      at = static_cast<size_t>(end - text.data());
    return value;
  }
  template <typename Item> void parseList(char open, char close, Item parseItem) {
    expect(open);
    if (accept(close))
      return;
    do
      parseItem();
    while (accept(','));
    expect(close);
  }

  std::string_view text;
  size_t at = 0;
  std::string error;
};

} // namespace

std::string LinearLayout::toString() const {
  std::string text = "{";
  const char *separator = "";
  for (SizedDim in : inDims) {
    text += separator + std::string(in.dim.name()) + " = " + basesText(*this, in.dim);
    separator = ", ";
  }
  text += "} -> {";
  separator = "";
  for (SizedDim out : outDims) {
    text += separator + std::string(out.dim.name()) + " = " + std::to_string(out.size());
    separator = ", ";
  }
  return text + "}";
}

Result<LinearLayout> LinearLayout::parse(std::string_view text) { return Parser(text).parse(); }

std::string LinearLayout::toJson() const {
  std::string text = "{\"in\": " + jsonSizes(ins()) + ", \"out\": " + jsonSizes(outs());
  text += ", \"bases\": {";
  const char *separator = "";
  for (SizedDim in : inDims) {
    text += separator + jsonKey(in.dim) + basesText(*this, in.dim);
    separator = ", ";
  }
  return text + "}}";
}
