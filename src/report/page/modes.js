// The colours of the languages that CodeMirror has no mode for.
'use strict';

CodeMirror.defineSimpleMode('mlir', {
  start: [
    { regex: /\/\/.*/, token: 'comment' },
    { regex: /"(?:[^"\\]|\\.)*"?/, token: 'string' },
    { regex: /%[\w$.#-]+/, token: 'variable-2' },
    { regex: /[#!]\w[\w.$-]*/, token: 'meta' },
    { regex: /[@^][\w$.-]+/, token: 'def' },
    { regex: /(?:tensor|memref|vector|!?\w+\.memdesc)(?=<)/, token: 'type' },
    { regex: /(?:tt|ttg|ttng|ttig|tw|arith|scf|cf|math|llvm|nvvm|rocdl|nvgpu|gpu|builtin)\.[\w.]+/,
      token: 'keyword' },
    { regex: /\b(?:module|attributes|to|step|iter_args|else|loc|dense|true|false)\b/, token: 'atom' },
    { regex: /\b(?:[iu]\d+|f\d+\w*|bf16|index)\b/, token: 'type' },
    { regex: /\b0x[\da-fA-F]+|\b\d+(?:\.\d+(?:[eE][+-]?\d+)?)?/, token: 'number' },
    { regex: /\w+/, token: null },
  ],
});

CodeMirror.defineSimpleMode('llvm', {
  start: [
    { regex: /;.*/, token: 'comment' },
    { regex: /c?"(?:[^"\\]|\\.)*"?/, token: 'string' },
    { regex: /%[\w$.-]+/, token: 'variable-2' },
    { regex: /@[\w$.-]+/, token: 'def' },
    { regex: /[!#]\w+/, token: 'meta' },
    { regex: /^[\w.$-]+:/, token: 'def', sol: true },
    { regex: /\b(?:define|declare|target|attributes|call|tail|ret|br|switch|phi|select|load|store|getelementptr|alloca|icmp|fcmp|fence|atomicrmw|cmpxchg|insertelement|extractelement|shufflevector|insertvalue|extractvalue|unreachable|f?add|f?sub|f?mul|[us]?div|f?div|[us]rem|f?rem|fneg|shl|[la]shr|and|or|xor|trunc|[sz]ext|fptrunc|fpext|fpto[us]i|[us]itofp|ptrtoint|inttoptr|bitcast|addrspacecast|freeze|asm)\b/,
      token: 'keyword' },
    { regex: /\b(?:i\d+|half|float|double|bfloat|ptr|void|label|addrspace)\b/, token: 'type' },
    { regex: /-?\b(?:0x[\da-fA-F]+|\d+(?:\.\d+(?:[eE][+-]?\d+)?)?)\b/, token: 'number' },
    { regex: /\w+/, token: null },
  ],
});

CodeMirror.defineSimpleMode('assembly', {
  start: [
    { regex: /\/\/.*|;.*/, token: 'comment' },
    { regex: /"(?:[^"\\]|\\.)*"?/, token: 'string' },
    { regex: /\s*[$\w.@]+:/, token: 'def', sol: true },
    { regex: /%[\w.]+|\b[vsa]\d+\b|\b[vsa]\[\d+:\d+\]/, token: 'variable-2' },
    { regex: /\.(?:reg|param|entry|visible|version|target|address_size|func|shared|global|align|extern|pragma|section|maxntid|reqntid|minnctapersm|text|p2align|type|size|amdhsa_\w+|amdgcn_target)\b/,
      token: 'meta' },
    { regex: /(\s*)(@!?%\w+\s+)?([a-z][\w.:]*)/, token: [null, 'atom', 'keyword'], sol: true },
    { regex: /[a-z][\w]*(?:\.[\w:]+)+/, token: 'keyword' },
    { regex: /\b0[xX][\da-fA-F]+|\b0[fd][\da-fA-F]+|-?\b\d+(?:\.\d+)?/, token: 'number' },
    { regex: /\.?\w+/, token: null },
  ],
});
