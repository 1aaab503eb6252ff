"""Records of kernels: files with one JSON object a line (README.md has the fields)."""

import json


def read(paths):
    """All records of the files."""
    found = []
    for path in paths:
        with open(path, encoding="utf-8") as lines:
            found += map(json.loads, lines)
    return found


def accepted(paths):
    """The kernels that Triton took and whose constants can be written down, each once."""
    kernels = {}
    for record in read(paths):
        if record.get("text"):
            kernels.setdefault(key(record), record)
    return list(kernels.values())


def key(record):
    return record["file"], record["kernel"]


def append(stream, record):
    """Writes a record so that it is there even if this process is ended."""
    stream.write(json.dumps(record) + "\n")
    stream.flush()
