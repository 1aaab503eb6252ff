//===- AsyncWaits.h - How many groups of copies waits leave ---------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_PIPELINE_SCHEDULE_ASYNCWAITS_H
#define TILEWRIGHT_TRANSFORM_PIPELINE_SCHEDULE_ASYNCWAITS_H

#include "ir/ttg/Dialect.h"

namespace tilewright::transform {

/// Tells `wait`, whose tokens are of groups of copies, how many groups may still be under way: as
/// many as are committed between the groups that it waits for and itself, on the path with the
/// fewest.
void setPendingGroups(ttg::AsyncWaitOp wait);

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_PIPELINE_SCHEDULE_ASYNCWAITS_H
