//===- Kernel.h - A jitted function and its calls -------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The state behind `tilewright.jit`'s objects: the function's parameters, the specializations that
// are there, and the path from `kernel[grid](..)` to the driver. A call
//
//   1. binds the arguments to the parameters,
//   2. reads them into the words of a key and the bits of the launch (Arguments.h),
//   3. looks whether the Python values that the source names are those it was compiled with,
//   4. finds the specialization by the key; the first time Python code compiles it,
//   5. launches: on the arrays' GPU, or by Python code on the simulator.
//
// All of it runs with the GIL.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_PYTHON_KERNEL_H
#define TILEWRIGHT_PYTHON_KERNEL_H

#include "Arguments.h"
#include "Gpu.h"
#include "tilewright/CompileOptions.h"

#include <deque>
#include <unordered_map>

namespace tilewright::python {

/// An option of a call that is no parameter.
struct CallOption {
  const char *name;
  /// Whether its value is a text; else a number.
  bool isText;
};

/// A call may say these of the program, none of which is an option of the compiler: a file in place
/// of the function's own IR or PTX, and the architecture to compile for ("sm80") in place of the
/// GPU's.
inline constexpr CallOption programOptions[] = {{"ir_override", true}, {"arch", true}};

/// Those of the table that calls take (CompileOptions.def), in the order in which they are in a
/// key, and after them programOptions.
inline constexpr size_t optionCount = [] {
  size_t count = std::size(programOptions);
  forEachOption([&](const auto &row) { count += row.readers.calls; });
  return count;
}();
inline constexpr std::array<CallOption, optionCount> callOptions = [] {
  std::array<CallOption, optionCount> options{};
  size_t next = 0;
  forEachOption([&](const auto &row) {
    using Type = typename std::decay_t<decltype(row)>::Type;
    if (row.readers.calls)
      options[next++] = {row.name.data(), std::is_same_v<Type, option_types::OptionalText>};
  });
  for (const CallOption &option : programOptions)
    options[next++] = option;
  return options;
}();

/// The arguments of a call as CPython hands them over (vectorcall).
struct Given {
  PyObject *const *values;
  size_t positional;
  /// A tuple, or null.
  PyObject *keywords;
};

class Kernel {
public:
  /// `owner` is the Python object, which outlives this. `parameters`: tuples (name, default or the
  /// class itself where there is none, is constexpr, is specialized, is specialized by alignment,
  /// the name of the type that it is annotated with or None).
  /// False after an exception.
  bool configure(PyObject *owner, PyObject *name, PyObject *parameters, PyObject *noDefault);

  /// A call of kernel[grid]; without a grid (null) it only compiles. The compiled kernel, a new
  /// reference, or null after an exception.
  PyObject *call(PyObject *grid, const Given &given);

  /// The specialization for a call with these arguments: a tuple (types, values, options, device),
  /// where `options` is a dictionary of those that are given, as the owner's `_specialize` gets
  /// them; null after an exception.
  PyObject *describe(const Given &given);

  /// Says which values the source of the kernel names: tuples (container, name, value), where the
  /// container is a dictionary, a cell or any object with attributes. `program` numbers the source
  /// with these values.
  bool watch(PyObject *values, int64_t program);

  /// Forgets everything that was compiled.
  void forget();

  /// Sets what is called before each launch, with the arguments of the call; None for nothing.
  void setPreRun(PyObject *function);

  int traverse(visitproc visit, void *argument) const;
  void clear();

private:
  struct Watch {
    Owned container, name, value;
    bool isUnchanged() const;
  };

  /// An argument by name: a parameter (-1 for none), an option (-1 for none), or both, as a
  /// constexpr parameter `num_warps` is.
  struct Place {
    int parameter = -1, option = -1;
  };
  struct Keywords {
    Owned names;
    size_t positional = 0;
    std::vector<Place> places;
  };

  struct Specialization {
    std::vector<uint64_t> key;
    Owned compiled;
    /// Null for the simulator; else the compiled kernel keeps it.
    GpuKernel *gpu = nullptr;
  };

  struct Bound {
    std::vector<PyObject *> many;
    std::array<PyObject *, 24> few{};
    PyObject **values = few.data();
    std::array<PyObject *, optionCount> options{};
    bool hasOptions = false;
  };

  /// The places of the names that are given; null after an exception.
  const Keywords *keywordsOf(const Given &given);
  /// Whether `option` is one of Triton's that change nothing. False after an exception as well.
  bool passesOver(PyObject *option, PyObject *value);
  bool bind(const Given &given, Bound &bound);
  bool refreshProgram();
  bool readOption(const CallOption &option, PyObject *value, Call &call);
  bool read(const Given &given, Bound &bound, Call &call);
  PyObject *describe(const Call &call) const;
  Specialization *specialize(const Call &call);
  bool readGrid(PyObject *grid, const Bound &bound, runtime::Grid &result, bool &isEmpty);
  Owned argumentsOf(const Bound &bound) const;
  bool run(PyObject *compiled, GpuKernel *gpu, runtime::Grid grid, const Bound &bound,
           const Call &call) const;

  PyObject *owner = nullptr;
  Owned name;
  /// Null if there is nothing to call.
  Owned preRun;
  std::vector<Parameter> parameters;
  /// The place of each parameter, by its name.
  Owned places;
  Constants constants;
  std::vector<Watch> watches;
  int64_t program = -1;
  std::deque<Keywords> keywords;
  std::unordered_multimap<uint64_t, Specialization> specializations;
  Specialization *last = nullptr;
};

} // namespace tilewright::python

#endif // TILEWRIGHT_PYTHON_KERNEL_H
