//===- Namespaces.h - Namespaces that views use ---------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VIEW_NAMESPACES_H
#define TILEWRIGHT_VIEW_NAMESPACES_H

#include "plan/Namespaces.h"

/// Views show layouts and plans, and use their names without saying so.
namespace tilewright::view {
using namespace layout;
using namespace plan;
} // namespace tilewright::view

#endif // TILEWRIGHT_VIEW_NAMESPACES_H
