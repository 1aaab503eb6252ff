//===- DppUsers.h - Lane moves folded into their users as DPP operands -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_EMIT_DPPUSERS_H
#define TILEWRIGHT_VENDOR_AMD_EMIT_DPPUSERS_H

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm
namespace tilewright::target {
struct Target;
} // namespace tilewright::target

namespace tilewright::emit {

/// Whether LLVM's pass that makes moves between lanes (DPP) operands of the instructions that use
/// them makes valid code of `module` for `target`, a "hip" one. Before gfx1150 such an instruction
/// takes neither a constant nor a scalar register beside the move, which the pass does not look at:
/// v_bfe_i32_e64_dpp v0, v1, 0, 8 is none of gfx1100. From gfx1200 on it makes a move an operand of
/// v_mad_co_u64_u32, which takes none, and everywhere the distance of v_lshlrev_b64 and the integer
/// of v_cvt_f64_i32 (LLVM 22).
bool mayCombineLaneMoves(llvm::Module &module, llvm::TargetMachine &machine,
                         const target::Target &target);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_AMD_EMIT_DPPUSERS_H
