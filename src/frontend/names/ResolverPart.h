//===- ResolverPart.h - Parts of a Resolver -------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_NAMES_RESOLVERPART_H
#define TILEWRIGHT_FRONTEND_NAMES_RESOLVERPART_H

#include "frontend/names/execution/Execution.h"

namespace tilewright::frontend {

class Resolver;

/// Answers one kind of question about names, and asks the Resolver that it is a part of others.
class ResolverPart {
public:
  ResolverPart(const ResolverPart &) = delete;
  ResolverPart &operator=(const ResolverPart &) = delete;

protected:
  explicit ResolverPart(Resolver &resolver);

  Resolver &resolver;
  Execution &now;
  TritonBuilder &tb;
};

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_NAMES_RESOLVERPART_H
