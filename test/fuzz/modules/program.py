"""A small package of Python modules, and the values of it that a kernel sees."""

import os


class Program:
    """Files, each a list of chunks - statements at the level of the module - and the expressions
    whose values a kernel `k` in the file `main` prints or stores."""

    # What a chunk begins with that raises and stays, as long as what imports the file catches it.
    KEPT = "# It raises.\n"

    def __init__(self, main):
        self.main = main
        self.files = {}
        # What stands in the kernel, by its number: a name of a constexpr, or a path to one.
        self.values = {}
        # Variables of the environment that are set outside.
        self.variables = {}

    def copy(self):
        other = Program(self.main)
        other.files = {path: list(chunks) for path, chunks in self.files.items()}
        other.values = dict(self.values)
        other.variables = dict(self.variables)
        return other

    @property
    def module(self):
        """The name that Python imports the kernel's module by."""
        return self.main[:-len(".py")].replace("/", ".")

    def kernel(self, stores):
        """The text of the kernel, which prints values while it is compiled, or stores them."""
        lines = ["@triton.jit", "def k(out):"]
        for number, value in self.values.items():
            lines.append(f"    tl.store(out + {number}, {value})" if stores
                         else f"    tl.static_print('@{number}', ({value},))")
        lines.append("    tl.store(out, 0)" if not stores or not self.values else "    pass")
        return "\n".join(lines) + "\n"

    def text(self, path, stores=False):
        text = "".join(chunk + "\n" for chunk in self.files[path])
        return text + self.kernel(stores) if path == self.main else text

    def tolerant_text(self, path):
        """The text with each chunk in a `try`, which tells which chunks raise."""
        text = ""
        for number, chunk in enumerate(self.files[path]):
            lines = "".join(f"    {line}\n" for line in chunk.split("\n"))
            text += f"try:\n{lines}except Exception: raised_by({path!r}, {number})\n"
        return text

    def write(self, folder, stores=False, tolerant=False):
        for path in self.files:
            place = os.path.join(folder, path)
            os.makedirs(os.path.dirname(place), exist_ok=True)
            with open(place, "w") as file:
                file.write(self.tolerant_text(path) if tolerant else self.text(path, stores))

    def remove(self, path, number):
        """Takes a chunk out, and the value that it makes."""
        text = self.files[path].pop(number)
        for value, expression in list(self.values.items()):
            if text.startswith(f"{expression} = "):
                del self.values[value]

    def chunk_at(self, path, line):
        """The number of the chunk that a line of the file, from 1, is in; None outside of them."""
        at = 1
        for number, chunk in enumerate(self.files[path]):
            at += chunk.count("\n") + 1
            if line < at:
                return number
        return None

    def listing(self):
        return "\n".join(f"# ---- {path}\n{self.text(path)}" for path in self.files)
