//===- OpInterfaces.td - What ops do with shared memory -----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTG_OPINTERFACES
#define TILEWRIGHT_IR_TTG_OPINTERFACES

include "mlir/IR/OpBase.td"

def TTG_SharedMemoryUser : OpInterface<"SharedMemoryUser"> {
  let cppNamespace = "::tilewright::ttg";
  let description = [{
    What an op does with shared memory that the program names (`!ttg.memdesc`), and when that is
    complete. Barrier insertion and the liveness of allocations ask nothing else. All ops of ttg
    and ttng answer; an op of another dialect without answers does not touch such memory, unless
    it is a call.
  }];
  let methods = [
    InterfaceMethod<[{
      The accesses that the op makes or begins, appended to `accesses`: by default what its memory
      effects say of operands and results that are views of shared memory.
    }], "void", "getViewAccesses",
      (ins "::llvm::SmallVectorImpl<::tilewright::ttg::ViewAccess> &":$accesses), "",
      [{ ::tilewright::ttg::detail::getViewAccesses($_op, accesses); }]>,
    InterfaceMethod<[{
      What the op has to do with accesses that go on after the op that began them: by default
      nothing, its accesses are complete when it is.
    }], "::tilewright::ttg::AsyncRole", "getAsyncRole", (ins), "", [{ return {}; }]>
  ];
}

def TTG_ScratchUser : OpInterface<"ScratchUser"> {
  let cppNamespace = "::tilewright::ttg";
  let description = [{
    What shared memory an op needs for itself while it is carried out. That follows from how the
    op is lowered, so the lowering attaches it, one external model beside each pattern.
    `allocate-shared-memory` asks nothing else; ops that have no model need none.
  }];
  let methods = [
    InterfaceMethod<[{
      The scratch that the op needs on the target that `plans` are for. The tensors of the op have
      layouts.
    }], "::tilewright::ttg::Scratch", "getScratch", (ins "::tilewright::plan::PlanCache &":$plans)>
  ];
}

/// For `extraClassDeclaration`: what an op has to do with asynchronous accesses.
class TTG_AsyncRole<string queue, string issues, string commits, string waits> {
  string decl = "::tilewright::ttg::AsyncRole getAsyncRole() {\n"
                # "  return {::tilewright::ttg::AsyncQueue::" # queue # ", " # issues # ", "
                # commits # ", " # waits # "};\n}\n";
}
/// The op begins accesses; somebody else commits them.
class TTG_Issues<string queue> : TTG_AsyncRole<queue, "true", "false", "std::nullopt">;
/// The op begins accesses that are a group of their own, if `when`.
class TTG_IssuesGroup<string queue, string when = "true">
    : TTG_AsyncRole<queue, when, when, "std::nullopt">;
/// What was issued since the last commit is a group.
class TTG_Commits<string queue> : TTG_AsyncRole<queue, "false", "true", "std::nullopt">;
/// Waits until at most `pending` groups are under way.
class TTG_Waits<string queue, string pending>
    : TTG_AsyncRole<queue, "false", "false", pending>;

#endif // TILEWRIGHT_IR_TTG_OPINTERFACES
