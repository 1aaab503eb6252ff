//===- Swizzle.cpp - Swizzles without bank conflicts --------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "plan/conversion/Swizzle.h"

#include <algorithm>

namespace tilewright::plan {

F2Vectors swizzle(const SwizzleRequest &request) {
  unsigned dimension = F2Basis(request.space).rank();
  size_t rowCount = dimension > request.rowBits ? dimension - request.rowBits : 0;

  // Bases of the intersection of A and B, and of each modulo it.
  F2Vectors both = intersect(request.writers, request.readers);
  auto modulo = [&](std::span<const uint64_t> vectors) {
    F2Vectors rest;
    F2Basis span(both);
    for (uint64_t v : vectors)
      if (span.insert(v).vector)
        rest.push_back(v);
    return rest;
  };
  F2Vectors a = modulo(request.writers), b = modulo(request.readers);

  // The rows: first what neither side covers, then the sums.
  F2Vectors rows;
  F2Basis covered(both);
  for (uint64_t v : a)
    covered.insert(v);
  for (uint64_t v : b)
    covered.insert(v);
  for (uint64_t v : request.space)
    if (rows.size() < rowCount && covered.insert(v).vector)
      rows.push_back(v);
  for (size_t i = 0; i < std::min(a.size(), b.size()) && rows.size() < rowCount; ++i)
    rows.push_back(a[i] ^ b[i]);
  assert(rows.size() == rowCount && "a side covers more than a row of banks");

  // The banks: whatever completes the basis, the writers' own vectors where possible.
  F2Vectors order;
  F2Basis span(rows);
  auto add = [&](std::span<const uint64_t> vectors) {
    for (uint64_t v : vectors)
      if (span.insert(v).vector)
        order.push_back(v);
  };
  add(request.low);
  assert(order.size() == request.low.size() && "a vector access would span rows");
  add(request.writers);
  add(request.readers);
  add(request.space);
  for (uint64_t v : rows)
    order.push_back(v);
  return order;
}

} // namespace tilewright::plan
