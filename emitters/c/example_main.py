"""A small `main` for emitted C: reads inputs from files, runs the model once, writes the outputs to files."""

from __future__ import annotations

from .source import Entry, Source


def main_text(source: Source, entry: Entry) -> str:
    """
    The text of `NAME_main.c`.

    The program takes the dims, then a file for each input, a file for each output, and the weights file if there is
    one; all files hold raw elements, row-major.
    """
    tensors = (*entry.inputs, *entry.outputs)
    words = [*entry.dim_parameters, *(f"{t.parameter}.bin" for t in tensors)]
    if entry.takes_weights:
        words.append(f"{source.name}.weights")
    lines = [
        f"/* Runs {entry.run} once on raw files: {' '.join(words)} */",
        f'#include "{source.name}.h"',
        "",
        "#include <stdio.h>",
        "#include <stdlib.h>",
        "",
        *_READ,
        "",
        "int main(int count, char **words) {",
        f"  if (count != {len(words) + 1}) {{",
        f'    fprintf(stderr, "usage: %s {" ".join(words)}\\n", words[0]);',
        "    return 2;",
        "  }",
    ]
    position = 1
    for parameter in entry.dim_parameters:
        lines.append(f"  const int64_t {parameter} = strtoll(words[{position}], NULL, 10);")
        position += 1
    for function, group in ((entry.input_size, entry.inputs), (entry.output_size, entry.outputs)):
        for number, tensor in enumerate(group):
            sizes = ", ".join([str(number), *entry.dim_parameters])
            lines.append(f"  const size_t {tensor.parameter}_size = {function}({sizes});")
    for tensor in tensors:
        lines.append(f"  void *{tensor.parameter} = aligned({tensor.parameter}_size);")
    for tensor in entry.inputs:
        lines.append(f"  read_file(words[{position}], {tensor.parameter}, {tensor.parameter}_size);")
        position += 1
    outputs = position
    position += len(entry.outputs)
    arguments = [*(t.parameter for t in tensors), *entry.dim_parameters]
    if entry.takes_weights:
        lines.append(f"  void *weights = aligned({entry.constant}_WEIGHTS_SIZE);")
        lines.append(f"  read_file(words[{position}], weights, {entry.constant}_WEIGHTS_SIZE);")
        arguments.append("weights")
    sizes = ", ".join(entry.dim_parameters)
    lines += [
        f"  void *workspace = aligned({entry.workspace_size}({sizes}));",
        f"  const int status = {entry.run}({', '.join([*arguments, 'workspace'])});",
        "  if (status) {",
        f'    fprintf(stderr, "{entry.run} returned %d\\n", status);',
        "    return 1;",
        "  }",
    ]
    for number, tensor in enumerate(entry.outputs):
        lines.append(f"  write_file(words[{outputs + number}], {tensor.parameter}, {tensor.parameter}_size);")
    return "\n".join([*lines, "  return 0;", "}", ""])


_READ = """\
static void fail(const char *what, const char *name) {
  fprintf(stderr, "%s: %s\\n", name, what);
  exit(1);
}

static void *aligned(size_t size) {
  void *memory = aligned_alloc(64, (size / 64 + 1) * 64);
  if (!memory) fail("not enough memory", "model");
  return memory;
}

static void read_file(const char *name, void *memory, size_t size) {
  FILE *file = fopen(name, "rb");
  if (!file) fail("cannot be opened", name);
  if (fread(memory, 1, size, file) != size || fgetc(file) != EOF) fail("does not have the size of its tensor", name);
  fclose(file);
}

static void write_file(const char *name, const void *memory, size_t size) {
  FILE *file = fopen(name, "wb");
  if (!file) fail("cannot be written", name);
  if (fwrite(memory, 1, size, file) != size || fclose(file)) fail("cannot be written", name);
}""".splitlines()
