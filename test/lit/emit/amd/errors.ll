; What the linker or the file system refuses is an error of the compilation.
;
; RUN: not tilewright-emit %s --target=hip:gfx1100 2>&1 | FileCheck %s
; RUN: env TMPDIR=%t.nowhere not tilewright-emit %S/Inputs/empty.ll --target=hip:gfx1100 2>&1 | FileCheck %s --check-prefix=FOLDER
; RUN: mkdir -p %t.folder && env TMPDIR=%t.folder not tilewright-emit %s --target=hip:gfx1100 2>/dev/null
; RUN: env TMPDIR=%t.folder tilewright-emit %S/Inputs/empty.ll --target=hip:gfx1100 -o %t.hsaco
; RUN: ls -A %t.folder | count 0

; CHECK: error: the linker reports: {{.*}}undefined symbol: missing
; FOLDER: error: the code object cannot be linked: no temporary file
; FOLDER-NEXT: TMPDIR

define amdgpu_kernel void @caller() {
  call void @missing()
  ret void
}

declare void @missing()
