//===- Namespaces.h - Namespaces that plans use ---------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_PLAN_NAMESPACES_H
#define TILEWRIGHT_PLAN_NAMESPACES_H

namespace tilewright::layout {}
namespace tilewright::target {}

/// Plans are made of layouts and for targets, and use their names without saying so.
namespace tilewright::plan {
using namespace layout;
using namespace target;
} // namespace tilewright::plan

#endif // TILEWRIGHT_PLAN_NAMESPACES_H
