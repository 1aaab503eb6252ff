//===- InitialConstants.h - What sums of a loop begin with, once ----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The sums of a loop begin with zero, and are zero if it has no iteration:
//
//     front:  br %runs, %loop, %end
//     loop:   %s = phi float [ 0.0, %front ], [ %s.next, %loop ]
//     end:    %r = phi float [ 0.0, %front ], [ %s.next, %loop ]
//
// LLVM moves the constant into the register of each of the two phis, on each way: that is one
// register, written twice. A product of 128 x 256 has 128 of them in a thread, and ptxas takes 6 %
// of its time for the second moves. So the constant becomes a value that is made once in `front`.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_EMIT_INITIALCONSTANTS_H
#define TILEWRIGHT_VENDOR_NVIDIA_EMIT_INITIALCONSTANTS_H

namespace llvm {
class Function;
} // namespace llvm

namespace tilewright::emit {

/// Makes constants of f32 that loops of `function` begin with and that are their results as well
/// where they do not run, and those of i32 that assembly or an intrinsic sums up, once in front of
/// both ways.
void makeInitialConstantsOnce(llvm::Function &function);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_NVIDIA_EMIT_INITIALCONSTANTS_H
