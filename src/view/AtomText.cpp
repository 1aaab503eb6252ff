//===- AtomText.cpp - Lists of atoms for people ---------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "view/AtomText.h"

#include <algorithm>
#include <vector>

namespace tilewright::view {

namespace {

/// Rows of cells, each column as wide as its widest cell; the first row is the head.
std::string tableText(const std::vector<std::vector<std::string>> &rows) {
  std::vector<size_t> widths(rows.front().size(), 0);
  for (const std::vector<std::string> &row : rows)
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  std::string text;
  for (const std::vector<std::string> &row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i)
      line += row[i] + std::string(widths[i] - row[i].size() + 2, ' ');
    line.resize(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string yesOrNo(bool value) { return value ? "yes" : "no"; }

std::string copiesText(std::span<const CopyAtom> copies) {
  std::vector<std::vector<std::string>> rows = {
      {"copy", "issuer", "async", "bits", "times", "from", "to"}};
  for (const CopyAtom &atom : copies) {
    std::string times = "1";
    for (unsigned n = 2; n <= atom.maxTimes; n *= 2)
      times += " " + std::to_string(n);
    rows.push_back({atom.name, std::string(issuerName(atom.issuer)), yesOrNo(atom.isAsync),
                    std::to_string(atom.bits()), times, std::string(spaceName(atom.source.space)),
                    std::string(spaceName(atom.destination.space))});
  }
  return tableText(rows);
}

/// The name with N as a letter: what products that differ in N alone have in common.
std::string familyOf(const MmaAtom &atom) {
  const std::string n = "n" + std::to_string(atom.n) + "k";
  std::string name = atom.name;
  return name.replace(name.find(n), n.size(), "nNk");
}

std::string productsText(std::span<const MmaAtom> products) {
  std::vector<std::vector<std::string>> rows = {
      {"product", "issuer", "async", "d", "a", "b", "A in", "B in", "D in", "cycles", "N"}};
  for (size_t i = 0; i < products.size();) {
    const MmaAtom &first = products[i];
    const std::string family = familyOf(first);
    std::string n, cycles;
    size_t count = 0;
    for (; i < products.size() && familyOf(products[i]) == family; ++i, ++count) {
      n += (count ? " " : "") + std::to_string(products[i].n);
      cycles += (count ? " " : "") + std::to_string(products[i].cycles);
    }
    rows.push_back({count > 1 ? family : first.name, std::string(issuerName(first.issuer)),
                    yesOrNo(first.isAsync), std::string(typeName(first.accumulator)),
                    std::string(typeName(first.a)), std::string(typeName(first.b)),
                    std::string(spaceName(first.aOperand.space)),
                    std::string(spaceName(first.bOperand.space)),
                    std::string(spaceName(first.accumulatorOperand.space)), cycles, n});
  }
  return tableText(rows);
}

} // namespace

std::string atomsText(const Target &target) {
  return std::string(target.name) + "\n" + copiesText(target.copies()) + "\n" +
         productsText(target.products());
}

} // namespace tilewright::view
