"""What callers in C and Cython were compiled against: every signature, size, offset and number that tabula.h and the .pxd declare.

    python tests/support/abi.py             compare with tests/data/abi.json
    python tests/support/abi.py --update    write it; refused where something changed and TABULA_ABI_VERSION did not

Functions and constants may be added without a new version, for whoever was compiled before does not use them. A C compiler is
needed, which tells the sizes and offsets.
"""

import argparse
import ctypes
import importlib
import json
import re
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

SNAPSHOT = Path(__file__).parents[1] / "data" / "abi.json"

Abi = dict[str, dict[str, str | int]]


def header() -> str:
    """The text of tabula.h without comments."""
    text = Path(importlib.import_module("tabula").get_include(), "tabula.h").read_text(encoding="utf-8")
    return re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)


def structs(text: str) -> dict[str, list[str]]:
    """The fields of every struct, by its name, in their order; the functions of the table among them."""
    found = {}
    for name, body in re.findall(r"typedef struct (\w+) \{(.*?)\n\} \1;", text, flags=re.DOTALL):
        declared = [re.sub(r"\(\*(\w+)\).*", r" \1", each, flags=re.DOTALL) for each in body.split(";")]
        fields = [re.sub(r"\[.*?\]", "", each).replace("*", " ").split() for each in declared if each.strip()]
        found[name] = [field.rstrip(",") for words in fields for field in words[_type_words(words) :]]
    return found


def _type_words(words: list[str]) -> int:
    """How many words of a declaration are its type."""
    return 2 if words[0] in ("const", "struct") else 1


def functions(text: str) -> dict[str, str]:
    """The signature of each function of the table, on one line and without the names of its parameters."""
    (table,) = re.findall(r"typedef struct tabula_api \{(.*?)\n\} tabula_api;", text, flags=re.DOTALL)
    found = {}
    for each in table.split(";"):
        if "(*" in each:
            returned, name, parameters = re.findall(r"^\s*(.*?)\(\*(\w+)\)\((.*)\)$", each, flags=re.DOTALL)[0]
            types = [re.sub(r"\s*\w+$", "", " ".join(parameter.split())) for parameter in parameters.split(",")]
            found[name] = f"{returned.strip()} ({', '.join(types)})"
    return found


def numbers(text: str) -> list[str]:
    """The names of all constants."""
    defined = re.findall(r"^#define (TABULA_\w+) \S", text, flags=re.MULTILINE)
    listed = [name for body in re.findall(r"enum \{(.*?)\}", text, flags=re.DOTALL) for name in re.findall(r"TABULA_\w+", body)]
    return [*defined, *listed]


def compiled(program: str) -> str:
    """What a C program prints that includes tabula.h."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "abi.c")
        source.write_text(program, encoding="utf-8")
        compiler = (sysconfig.get_config_var("CC") or "cc").split()
        include = importlib.import_module("tabula").get_include()
        subprocess.run([*compiler, f"-I{include}", "-o", str(source.with_suffix(".exe")), str(source)], check=True)
        return subprocess.run([source.with_suffix(".exe")], check=True, capture_output=True, text=True).stdout


def found() -> Abi:
    """All of it as it is now."""
    text = header()
    lines = ["#include <stdio.h>", "#include <stddef.h>", '#include "tabula.h"', "int main(void) {"]
    for struct, fields in structs(text).items():
        lines.append(f'printf("layout sizeof({struct}) %d\\n", (int)sizeof({struct}));')
        lines += [f'printf("layout {struct}.{field} %d\\n", (int)offsetof({struct}, {field}));' for field in fields]
    lines += [f'printf("numbers {name} %lld\\n", (long long){name});' for name in numbers(text)]
    told: Abi = {"numbers": {}, "layout": {}, "table": dict(functions(text)), "cython": dict(cython())}
    for line in compiled("\n".join([*lines, "return 0;", "}"])).splitlines():
        part, name, number = line.split()
        told[part][name] = int(number)
    return told


def cython() -> dict[str, str]:
    """The signature of each function that Cython callers import, as Cython compares it."""
    name_of = ctypes.pythonapi.PyCapsule_GetName
    name_of.restype, name_of.argtypes = ctypes.c_char_p, [ctypes.py_object]
    exported = importlib.import_module("tabula._native.capi").__pyx_capi__
    return {name: name_of(capsule).decode() for name, capsule in sorted(exported.items())}


def changed(now: Abi, before: Abi) -> list[str]:
    """What is not as it was, in lines: additions are not among it, except to structs."""
    lines = []
    for part, entries in before.items():
        for name, old in entries.items():
            new = now[part].get(name)
            if new != old and name not in ("TABULA_ABI_VERSION", "sizeof(tabula_api)"):
                lines.append(f"{part}: {name} was {old}, and is {'gone' if new is None else new}")
    known = {name.partition(".")[0] for name in before["layout"] if "." in name} - {"tabula_api"}
    lines += [
        f"layout: {name} is new" for name in now["layout"] if name.partition(".")[0] in known and name not in before["layout"]
    ]
    return lines


def complaints(now: Abi, before: Abi) -> list[str]:
    """Why the snapshot does not hold: changes without a new version, or else that it has to be written again."""
    lines = changed(now, before)
    if lines and now["numbers"]["TABULA_ABI_VERSION"] == before["numbers"]["TABULA_ABI_VERSION"]:
        return [*lines, "raise TABULA_ABI_VERSION in tabula.h"]
    return [] if now == before else [*lines, f"run python tests/support/{Path(__file__).name} --update"]


def main(argv: list[str] | None = None) -> int:
    """Compares or updates; 1 where the snapshot does not hold."""
    parser = argparse.ArgumentParser(description="The signatures and layouts of the C interface against tests/data/abi.json.")
    parser.add_argument("--update", action="store_true", help="write them instead")
    args = parser.parse_args(argv)
    now = found()
    before: Abi = json.loads(SNAPSHOT.read_text(encoding="utf-8")) if SNAPSHOT.exists() else {"layout": {}}
    wrong = complaints(now, before) if before["layout"] else []
    if args.update and not any(line.startswith("raise ") for line in wrong):
        SNAPSHOT.write_text(json.dumps(now, indent=2) + "\n", encoding="utf-8", newline="\n")
        return 0
    print("\n".join(wrong) or "nothing has changed")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
