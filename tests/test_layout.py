"""The shape of the repository: what the wheel holds, where things may stand, how they are imported."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text())
NOT_PACKAGED = {"tests", "lit_tests", "benchmarks", "examples", "docs", "build", "dist"}

TRACKED = subprocess.run(
    ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True
).stdout.splitlines()
"""Files of the repository, the new ones too."""

PYTHON = [ROOT / name for name in TRACKED if name.endswith(".py") and (ROOT / name).is_file()]
PACKAGE = [path for path in PYTHON if path.relative_to(ROOT).parts[0] not in NOT_PACKAGED | {"tests"}]
ALLOWED_LINES = 420
"""About 400 is where a file becomes a folder; some families need a little more."""


def test_files_are_found():
    assert ROOT / "errors.py" in PACKAGE


def test_every_folder_of_the_package_is_listed():
    folders = {path.parent.relative_to(ROOT) for path in PACKAGE}
    expected = sorted(".".join(("stepwell", *folder.parts)) for folder in folders)
    assert expected == sorted(SETTINGS["tool"]["setuptools"]["packages"])


def test_every_folder_of_the_package_says_what_it_is():
    for folder in {path.parent for path in PACKAGE}:
        assert (folder / "__init__.py").is_file(), f"{folder} has no __init__.py"
        assert ast.get_docstring(ast.parse((folder / "__init__.py").read_text())), f"{folder} does not say what it is"


@pytest.mark.parametrize("word", ["utils", "util", "helpers", "helper", "common", "misc"])
def test_nothing_is_called_after_nothing(word):
    assert [name for name in TRACKED if word in Path(name).parts or Path(name).stem == word] == []


def test_files_are_short():
    long = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in PACKAGE}
    assert {name: lines for name, lines in long.items() if lines > ALLOWED_LINES} == {}


def test_the_package_imports_itself_relatively():
    """An absolute import would load a second copy where the root is imported under another name."""
    wrong = []
    for path in PACKAGE:
        if path == ROOT / "__init__.py":
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            wrong += [f"{path}:{node.lineno}" for name in names if name.split(".")[0] == "stepwell"]
    assert wrong == []


def test_no_work_is_left_for_later():
    word = re.compile(r"\b(TO" + r"DO|FIX" + r"ME|X" + r"XX|HA" + r"CK)\b")
    texts = [name for name in TRACKED if Path(name).suffix in {".py", ".md", ".mlir", ".toml", ".c", ".h", ".cfg"}]
    found = [name for name in texts if (ROOT / name).is_file() and word.search((ROOT / name).read_text())]
    assert found == []


def test_dependencies_of_development_are_pinned():
    assert "xdsl==0.75.0" in SETTINGS["project"]["dependencies"]
    assert [one for one in SETTINGS["project"]["optional-dependencies"]["dev"] if "==" not in one] == []


def test_public_names_load():
    """Every name that `stepwell` offers exists, and nothing else is offered."""
    script = (
        "import stepwell\n"
        "for name in dir(stepwell): getattr(stepwell, name)\n"
        "try: stepwell.nonsense\n"
        "except AttributeError as error: assert 'nonsense' in str(error)\n"
        "else: raise SystemExit('nonsense is a name')"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


@pytest.mark.parametrize(
    "command",
    [
        "import stepwell",
        "from stepwell.universe import UNIVERSE",
        "from stepwell.tools.opt import main; main(['--help'])",
        "from stepwell.tools.opt import main; main(['-p', 'dce', {empty!r}])",
        "from stepwell.dialects.loop import Loop; from stepwell.dialects.graph import Graph",
    ],
)
def test_starting_up_loads_neither_numpy_nor_onnx(command, tmp_path):
    """They take longer to load than all the rest; measured by what is loaded, not by a clock."""
    empty = tmp_path / "empty.mlir"
    empty.write_text("builtin.module {}")
    script = (
        "import sys\n"
        f"try: exec({command.format(empty=str(empty))!r})\n"
        "except SystemExit: pass\n"
        "print([name for name in ('numpy', 'onnx', 'ml_dtypes', 'sympy') if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stderr.strip().splitlines()[-1] == "[]"
