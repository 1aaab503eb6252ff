//===- TokenMutator.cpp - Token-wise mutation of programs ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Bytes changed at random seldom get past a parser. Three times out of four this changes a program
// by its tokens instead: one word or number takes another's place, a number another value, lines
// are repeated, left out or exchanged, and the target in the first line changes.
//
//===--------------------------------------------------------------------------===//

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

namespace {

struct Token {
  size_t begin, length;
};

bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }

bool isWordCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
}

class Mutation {
public:
  Mutation(std::string &text, unsigned seed) : text(text), random(seed) {}

  void apply() {
    switch (below(8)) {
    case 0:
    case 1:
      return exchangeTokens(/*numbers=*/false);
    case 2:
      return exchangeTokens(/*numbers=*/true);
    case 3:
    case 4:
      return changeNumber();
    case 5:
      return changeLines();
    case 6:
      return changeTarget();
    default:
      return changeOperator();
    }
  }

private:
  size_t below(size_t bound) { return random() % bound; }

  /// All numbers, or all words. In "16x8xf32" are two numbers and the word f32.
  std::vector<Token> tokens(bool numbers) const {
    std::vector<Token> found;
    for (size_t i = 0; i < text.size();) {
      size_t end = i;
      bool isNumber = isDigit(text[i]);
      if (isNumber)
        while (end < text.size() && isDigit(text[end]))
          ++end;
      else if (text[i] != 'x' || i == 0 || !isDigit(text[i - 1]))
        while (end < text.size() && isWordCharacter(text[end]))
          ++end;
      if (end > i && isNumber == numbers)
        found.push_back({i, end - i});
      i = std::max(end, i + 1);
    }
    return found;
  }

  void exchangeTokens(bool numbers) {
    std::vector<Token> all = tokens(numbers);
    if (all.empty())
      return;
    Token from = all[below(all.size())], to = all[below(all.size())];
    std::string word = text.substr(from.begin, from.length);
    text.replace(to.begin, to.length, word);
  }

  void changeNumber() {
    constexpr const char *numbers[] = {"0",  "1",  "2",   "3",   "4",    "8",          "16",
                                       "32", "64", "128", "256", "1024", "2147483647", "-1"};
    std::vector<Token> all = tokens(/*numbers=*/true);
    if (all.empty())
      return;
    Token token = all[below(all.size())];
    text.replace(token.begin, token.length, numbers[below(std::size(numbers))]);
  }

  void changeLines() {
    std::vector<Token> lines;
    for (size_t begin = 0; begin < text.size();) {
      size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
      lines.push_back({begin, end - begin});
      begin = end;
    }
    if (lines.size() < 3)
      return;
    Token from = lines[1 + below(lines.size() - 1)], to = lines[1 + below(lines.size() - 1)];
    std::string line = text.substr(from.begin, from.length);
    switch (below(3)) {
    case 0:
      text.erase(from.begin, from.length);
      return;
    case 1:
      text.insert(to.begin, line);
      return;
    default:
      text.replace(to.begin, to.length, line);
    }
  }

  void changeTarget() {
    constexpr const char *targets[] = {"cuda:80",    "cuda:90",    "hip:gfx1100", "hip:gfx1201",
                                       "xpu:pvc/16", "xpu:pvc/32", "xpu:bmg/16",  "xpu:bmg/32"};
    text.replace(0, std::min(text.find('\n'), text.size()), targets[below(std::size(targets))]);
  }

  void changeOperator() {
    constexpr std::string_view operators = "+-*/%<>&|^=,()[]{}:";
    std::vector<size_t> spans;
    for (size_t i = 0; i < text.size(); ++i)
      if (operators.find(text[i]) != std::string_view::npos)
        spans.push_back(i);
    if (!spans.empty())
      text[spans[below(spans.size())]] = operators[below(operators.size())];
  }

  std::string &text;
  std::minstd_rand random;
};

} // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize,
                                          unsigned seed) {
  if (seed % 4 == 0)
    return LLVMFuzzerMutate(data, size, maxSize);
  std::string text(reinterpret_cast<const char *>(data), size);
  for (unsigned i = 0; i <= seed / 4 % 3; ++i)
    Mutation(text, seed + i).apply();
  text.resize(std::min(text.size(), maxSize));
  std::memcpy(data, text.data(), text.size());
  return text.size();
}
