//===- Kernel.cpp - A jitted function and its calls ---------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "Kernel.h"

#include "LaunchHooks.h"

#include <nanobind/nanobind.h>

#include <algorithm>
#include <bit>

using namespace tilewright;
using namespace tilewright::python;
namespace nb = nanobind;

/// In a key, the words of the arguments are followed by the program, the device, which options were
/// given, a bit each, and these options.
static constexpr size_t wordsBeforeOptions = 3;
static_assert(optionCount <= 64);

/// The names of the options, interned.
static PyObject *optionName(size_t option) {
  static PyObject *names[optionCount] = {};
  if (!names[option])
    names[option] = PyUnicode_InternFromString(callOptions[option].name);
  return names[option];
}

static std::string optionsText() {
  std::string text;
  for (const CallOption &option : callOptions)
    text += std::string(text.empty() ? "" : ", ") + option.name;
  return text;
}

bool Kernel::configure(PyObject *newOwner, PyObject *newName, PyObject *list, PyObject *noDefault) {
  owner = newOwner;
  name = Owned::share(newName);
  places = Owned(PyDict_New());
  Owned fast(PySequence_Fast(list, "the parameters are a list"));
  if (!fast || !places)
    return false;
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(fast.get()); ++i) {
    PyObject *parameterName, *otherwise, *annotated;
    int isConstant, isSpecialized, isAlignmentSpecialized;
    if (!PyArg_ParseTuple(PySequence_Fast_GET_ITEM(fast.get(), i), "OOpppO", &parameterName,
                          &otherwise, &isConstant, &isSpecialized, &isAlignmentSpecialized,
                          &annotated))
      return false;
    Py_INCREF(parameterName);
    PyUnicode_InternInPlace(&parameterName);
    Parameter &parameter = parameters.emplace_back();
    parameter.name = Owned(parameterName);
    if (otherwise != noDefault)
      parameter.otherwise = Owned::share(otherwise);
    parameter.isConstant = isConstant;
    parameter.isSpecialized = isSpecialized;
    parameter.isAlignmentSpecialized = isAlignmentSpecialized;
    if (annotated != Py_None)
      parameter.annotated = elementTypeOf(textOf(annotated));
    Owned place(PyLong_FromSsize_t(i));
    if (!place || PyDict_SetItem(places.get(), parameterName, place.get()) < 0)
      return false;
  }
  return true;
}

//===--------------------------------------------------------------------------===//
// Binding
//===--------------------------------------------------------------------------===//

static bool raiseType(const std::string &message) {
  PyErr_SetString(PyExc_TypeError, message.c_str());
  return false;
}

bool Kernel::passesOver(PyObject *option, PyObject *value) {
  Owned known(PyObject_CallMethod(owner, "_pass_over", "OO", option, value));
  return known && PyObject_IsTrue(known.get()) == 1;
}

const Kernel::Keywords *Kernel::keywordsOf(const Given &given) {
  PyObject *names = given.keywords;
  const size_t positional = given.positional;
  // A place in a program calls with the same tuple each time.
  for (const Keywords &known : keywords)
    if (known.names.get() == names && known.positional == positional)
      return &known;
  Keywords found{Owned::share(names), positional, {}};
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(names); ++i) {
    PyObject *one = PyTuple_GET_ITEM(names, i);
    Place &place = found.places.emplace_back();
    if (PyObject *parameter = PyDict_GetItemWithError(places.get(), one)) {
      place.parameter = static_cast<int>(PyLong_AsLong(parameter));
      if (static_cast<size_t>(place.parameter) < positional) {
        raiseType(textOf(name.get()) + "() got the argument '" + textOf(one) + "' twice");
        return nullptr;
      }
    }
    if (PyErr_Occurred())
      return nullptr;
    for (size_t option = 0; option < optionCount; ++option)
      if (PyUnicode_Compare(one, optionName(option)) == 0)
        place.option = static_cast<int>(option);
    // A constant with an option's name is both, as in Triton, whose options are numbers: it has no
    // option `target`.
    if (place.parameter >= 0 && place.option >= 0 &&
        (!parameters[static_cast<size_t>(place.parameter)].isConstant ||
         callOptions[static_cast<size_t>(place.option)].isText))
      place.option = -1;
    if (place.parameter < 0 && place.option < 0 &&
        !passesOver(one, given.values[positional + static_cast<size_t>(i)])) {
      if (PyErr_Occurred())
        return nullptr;
      std::string known;
      for (const Parameter &parameter : parameters)
        known += (known.empty() ? "" : ", ") + textOf(parameter.name.get());
      raiseType(textOf(name.get()) + "() has no parameter '" + textOf(one) +
                "'; its parameters are " + known + ", and its options " + optionsText());
      return nullptr;
    }
  }
  constexpr size_t most = 8;
  if (keywords.size() == most)
    keywords.pop_front();
  keywords.push_back(std::move(found));
  return &keywords.back();
}

bool Kernel::bind(const Given &given, Bound &bound) {
  if (parameters.size() > bound.few.size()) {
    bound.many.resize(parameters.size());
    bound.values = bound.many.data();
  }
  if (given.positional > parameters.size())
    return raiseType(textOf(name.get()) + "() takes " + std::to_string(parameters.size()) +
                     (parameters.size() == 1 ? " argument" : " arguments") + " and got " +
                     std::to_string(given.positional));
  std::copy_n(given.values, given.positional, bound.values);
  if (given.keywords) {
    const Keywords *found = keywordsOf(given);
    if (!found)
      return false;
    for (size_t i = 0; i < found->places.size(); ++i) {
      const auto [parameter, option] = found->places[i];
      PyObject *value = given.values[given.positional + i];
      if (parameter >= 0)
        bound.values[parameter] = value;
      if (option >= 0) {
        bound.options[option] = value;
        bound.hasOptions = true;
      }
    }
  }
  for (size_t i = given.positional; i < parameters.size(); ++i) {
    if (bound.values[i])
      continue;
    bound.values[i] = parameters[i].otherwise.get();
    if (!bound.values[i])
      return raiseType(textOf(name.get()) + "() misses the argument '" +
                       textOf(parameters[i].name.get()) + "'");
  }
  return true;
}

bool Kernel::readOption(const CallOption &option, PyObject *value, Call &call) {
  if (option.isText) {
    if (!PyUnicode_Check(value))
      return raiseType(std::string(option.name) + " is a text, " +
                       (std::string_view(option.name) == "target"
                            ? "such as \"" + std::string(OptionDefaults::target) + "\", "
                            : "") +
                       "not " + reprOf(value));
    const int64_t number = constants.numberOf(value);
    call.key.push(static_cast<uint64_t>(number));
    return number >= 0;
  }
  const long number = PyLong_AsLong(value);
  if (number == -1 && PyErr_Occurred())
    return raiseType(std::string(option.name) + " is an integer, not " + reprOf(value));
  call.key.push(static_cast<uint64_t>(number));
  return true;
}

//===--------------------------------------------------------------------------===//
// Values that the source names
//===--------------------------------------------------------------------------===//

bool Kernel::Watch::isUnchanged() const {
  if (PyDict_CheckExact(container.get()))
    return PyDict_GetItemWithError(container.get(), name.get()) == value.get();
  if (PyCell_Check(container.get()))
    return PyCell_GET(container.get()) == value.get();
  Owned now(PyObject_GetAttr(container.get(), name.get()));
  return now.get() == value.get();
}

bool Kernel::watch(PyObject *values, int64_t newProgram) {
  Owned fast(PySequence_Fast(values, "the values are a list"));
  if (!fast)
    return false;
  std::vector<Watch> found;
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(fast.get()); ++i) {
    PyObject *container, *valueName, *value;
    if (!PyArg_ParseTuple(PySequence_Fast_GET_ITEM(fast.get(), i), "OOO", &container, &valueName,
                          &value))
      return false;
    found.push_back({Owned::share(container), Owned::share(valueName), Owned::share(value)});
  }
  watches = std::move(found);
  program = newProgram;
  return true;
}

bool Kernel::refreshProgram() {
  if (program >= 0 && std::ranges::all_of(watches, &Watch::isUnchanged)) [[likely]]
    return true;
  // A name that is gone is an error of the source, if it is used.
  PyErr_Clear();
  return bool(Owned(PyObject_CallMethod(owner, "_refresh", nullptr)));
}

//===--------------------------------------------------------------------------===//
// Specializations
//===--------------------------------------------------------------------------===//

/// The words of a call again, as Python reads them.
PyObject *Kernel::describe(const Call &call) const {
  std::span<const uint64_t> words = call.key.view();
  nb::list types, values;
  nb::dict options;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const ArgumentType argument = takeType(words, constants);
    if (!argument.type || !argument.value)
      return nullptr;
    types.append(nb::borrow(argument.type.get()));
    values.append(nb::borrow(argument.value.get()));
  }
  const uint64_t said = words[wordsBeforeOptions - 1];
  words = words.subspan(wordsBeforeOptions);
  for (size_t option = 0, next = 0; option < optionCount; ++option) {
    if (!(said >> option & 1))
      continue;
    const auto number = static_cast<int64_t>(words[next++]);
    options[callOptions[option].name] =
        callOptions[option].isText ? nb::borrow(constants.object(number)) : nb::int_(number);
  }
  return nb::make_tuple(types, values, options, call.device).release().ptr();
}

Kernel::Specialization *Kernel::specialize(const Call &call) {
  const std::span<const uint64_t> key = call.key.view();
  if (last && std::ranges::equal(last->key, key)) [[likely]]
    return last;
  const uint64_t hash = hashOf(key);
  auto [begin, end] = specializations.equal_range(hash);
  for (auto one = begin; one != end; ++one)
    if (std::ranges::equal(one->second.key, key))
      return last = &one->second;

  Owned description(describe(call));
  Owned method(PyObject_GetAttrString(owner, "_specialize"));
  Owned compiled(method && description ? PyObject_CallObject(method.get(), description.get())
                                       : nullptr);
  if (!compiled)
    return nullptr;
  Specialization made{{key.begin(), key.end()}, compiled, nullptr};
  Owned gpu(PyObject_GetAttrString(compiled.get(), "_gpu"));
  if (!gpu)
    return nullptr;
  if (gpu.get() != Py_None) {
    made.gpu = nb::cast<GpuKernel *>(nb::handle(gpu.get()));
    if (made.gpu->parameterCount() != call.parameters.view().size()) {
      raiseError("LaunchError", "the kernel '" + textOf(name.get()) + "' takes " +
                                    std::to_string(made.gpu->parameterCount()) +
                                    " parameters and got " +
                                    std::to_string(call.parameters.view().size()));
      return nullptr;
    }
  }
  return last = &specializations.emplace(hash, std::move(made))->second;
}

void Kernel::setPreRun(PyObject *function) {
  preRun = function == Py_None ? Owned() : Owned::share(function);
}

void Kernel::forget() {
  last = nullptr;
  specializations.clear();
  watches.clear();
  program = -1;
}

//===--------------------------------------------------------------------------===//
// Launches
//===--------------------------------------------------------------------------===//

Owned Kernel::argumentsOf(const Bound &bound) const {
  Owned all(PyDict_New());
  for (size_t i = 0; all && i < parameters.size(); ++i)
    if (PyDict_SetItem(all.get(), parameters[i].name.get(), bound.values[i]) < 0)
      return {};
  for (size_t i = 0; all && i < optionCount; ++i)
    if (bound.options[i] && PyDict_SetItem(all.get(), optionName(i), bound.options[i]) < 0)
      return {};
  return all;
}

bool Kernel::readGrid(PyObject *grid, const Bound &bound, runtime::Grid &result, bool &isEmpty) {
  Owned made;
  if (PyCallable_Check(grid)) {
    Owned meta = argumentsOf(bound);
    made = meta ? Owned(PyObject_CallOneArg(grid, meta.get())) : Owned();
    if (!made)
      return false;
    grid = made.get();
  }
  uint32_t *extents[] = {&result.x, &result.y, &result.z};
  const bool isSequence = PyTuple_Check(grid) || PyList_Check(grid);
  const Py_ssize_t rank = isSequence ? PySequence_Fast_GET_SIZE(grid) : 1;
  if (rank < 1 || rank > 3 || (!isSequence && !PyIndex_Check(grid)))
    return raiseType("a grid is a tuple of one to three integers, or a function that returns one, "
                     "and not " +
                     reprOf(grid));
  for (Py_ssize_t i = 0; i < rank; ++i) {
    const int64_t extent = readExtent(isSequence ? PySequence_Fast_GET_ITEM(grid, i) : grid);
    if (extent < 0)
      return false;
    *extents[i] = static_cast<uint32_t>(extent);
    isEmpty |= extent == 0;
  }
  return true;
}

/// Runs it by Python code, which knows where the arrays' memory ends.
static bool simulate(PyObject *compiled, runtime::Grid grid, PyObject *arguments,
                     std::span<const uint64_t> words) {
  Owned bits(PyBytes_FromStringAndSize(reinterpret_cast<const char *>(words.data()),
                                       static_cast<Py_ssize_t>(words.size_bytes())));
  return bits && arguments &&
         bool(Owned(PyObject_CallMethod(compiled, "_simulate", "(III)OO", grid.x, grid.y, grid.z,
                                        bits.get(), arguments)));
}

bool Kernel::run(PyObject *compiled, GpuKernel *gpu, runtime::Grid grid, const Bound &bound,
                 const Call &call) const {
  uint64_t stream = 0;
  if (gpu && call.array && !currentStream(call.reader, call.arrayRead, stream))
    return false;
  const bool hasHooks = launchHooks().areSet();
  Owned metadata, exit;
  if (hasHooks) [[unlikely]] {
    const LaunchHooks hooks = launchHooks();
    Owned arguments = argumentsOf(bound);
    metadata = Owned(
        arguments
            ? PyObject_CallMethod(compiled, "_launch_metadata", "(III)KO", grid.x, grid.y, grid.z,
                                  static_cast<unsigned long long>(stream), arguments.get())
            : nullptr);
    if (!metadata || !LaunchHooks::call(hooks.enter.get(), metadata.get()))
      return false;
    exit = hooks.exit;
  }
  const std::span<const uint64_t> words = call.parameters.view();
  const bool done = gpu ? gpu->launch(grid, words, stream)
                        : simulate(compiled, grid, argumentsOf(bound).get(), words);
  return done && (!hasHooks || LaunchHooks::call(exit.get(), metadata.get()));
}

/// The device of a call whose arrays types stand for: the GPU of the moment, as in Triton, unless a
/// target is named, which is for the simulator. False after an exception.
static bool placeStandIns(const std::array<PyObject *, optionCount> &options, Call &call) {
  for (size_t option = 0; option < optionCount; ++option)
    if (options[option] && options[option] != Py_None &&
        std::string_view(callOptions[option].name) == "target")
      return true;
  Owned host(PyImport_ImportModule("tilewright._host"));
  Owned device(host ? PyObject_CallMethod(host.get(), "current_device", nullptr) : nullptr);
  if (!device)
    return false;
  call.device = static_cast<int>(PyLong_AsLong(device.get()));
  return !PyErr_Occurred();
}

bool Kernel::read(const Given &given, Bound &bound, Call &call) {
  if (!bind(given, bound) || !refreshProgram())
    return false;
  for (size_t i = 0; i < parameters.size(); ++i)
    if (!readArgument(bound.values[i], parameters[i], constants, call))
      return false;
  if (call.hasStandIns && !call.array && !placeStandIns(bound.options, call))
    return false;
  call.key.push(static_cast<uint64_t>(program));
  call.key.push(static_cast<uint64_t>(int64_t(call.device)));
  // One that was not given is the compiler's to choose.
  uint64_t said = 0;
  if (bound.hasOptions)
    for (size_t option = 0; option < optionCount; ++option)
      said |= uint64_t(bound.options[option] && bound.options[option] != Py_None) << option;
  call.key.push(said);
  for (; said; said &= said - 1) {
    const auto option = static_cast<size_t>(std::countr_zero(said));
    if (!readOption(callOptions[option], bound.options[option], call))
      return false;
  }
  return true;
}

PyObject *Kernel::describe(const Given &given) {
  Bound bound;
  Call call;
  return read(given, bound, call) ? describe(call) : nullptr;
}

PyObject *Kernel::call(PyObject *grid, const Given &given) {
  if (preRun && grid) [[unlikely]] {
    Owned function = preRun;
    if (!Owned(PyObject_Vectorcall(function.get(), given.values, given.positional, given.keywords)))
      return nullptr;
  }
  Bound bound;
  Call call;
  if (!read(given, bound, call))
    return nullptr;
  const Specialization *one = specialize(call);
  if (!one)
    return nullptr;
  // A grid is any function, and may make the kernel forget what it has.
  Owned compiled = one->compiled;
  GpuKernel *gpu = one->gpu;
  runtime::Grid extents;
  bool isEmpty = false;
  if (grid && !readGrid(grid, bound, extents, isEmpty))
    return nullptr;
  if (grid && !isEmpty && !run(compiled.get(), gpu, extents, bound, call))
    return nullptr;
  return compiled.release();
}

//===--------------------------------------------------------------------------===//
// Garbage collection
//===--------------------------------------------------------------------------===//

int Kernel::traverse(visitproc visit, void *arg) const {
  Py_VISIT(preRun.get());
  for (const Parameter &parameter : parameters)
    Py_VISIT(parameter.otherwise.get());
  for (const Watch &watch : watches) {
    Py_VISIT(watch.container.get());
    Py_VISIT(watch.value.get());
  }
  for (const auto &[hash, one] : specializations)
    Py_VISIT(one.compiled.get());
  return constants.visit([&](PyObject *object) { return visit(object, arg); });
}

void Kernel::clear() {
  forget();
  preRun = {};
  constants.clear();
  // The parameters stay: they are what a call is checked against.
  for (Parameter &parameter : parameters)
    parameter.otherwise = {};
}
