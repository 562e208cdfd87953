"""The generated pages: as the code has it, complete, and without anything of the machine that wrote them."""

import re
from pathlib import Path

import pytest
from stepwell.conversions import CONVERSIONS
from stepwell.dialects import DIALECTS
from stepwell.frontends.onnx.operators import OPERATORS
from stepwell.targets import TARGETS
from stepwell.tools.docs import acceptance
from stepwell.tools.docs.__main__ import main
from stepwell.tools.docs.cases import first_case, top_level
from stepwell.tools.docs.pages import pages
from stepwell.transforms import TRANSFORMS
from stepwell.transforms.primitives import PRIMITIVES
from stepwell.universe import load

ROOT = Path(__file__).resolve().parent.parent
GENERATED = {page.path: page for page in pages(ROOT) if page.path.startswith(("docs/reference/", "docs/acceptance"))}
ROWS = [f"A{number:02}" for number in range(1, 51)]


@pytest.fixture(scope="module")
def text():
    """The text of a generated page, made once."""
    made = {}

    def text_of(path):
        if path not in made:
            made[path] = GENERATED[path].text()
        return made[path]

    return text_of


@pytest.mark.parametrize("path", GENERATED)
def test_page_is_what_the_code_says(path, text):
    assert (ROOT / path).read_text(encoding="utf-8") == text(path), f"{path} is stale: run `make docs`"


@pytest.mark.parametrize("path", GENERATED)
def test_page_says_nothing_of_the_machine(path, text):
    assert not re.search(r"0x[0-9a-f]{8,} *>|/tmp/|" + re.escape(str(ROOT)), text(path))


@pytest.mark.parametrize("name", DIALECTS)
def test_every_op_has_a_section(name, text):
    page = text(f"docs/reference/dialects/{name}.md")
    missing = [op.name for op in load(DIALECTS[name]).operations if f"\n### `{op.name}`\n" not in page]
    assert missing == []
    assert "Constraint(" not in page


def test_every_pass_has_a_section_and_an_example(text):
    page = text("docs/reference/passes.md")
    sections = dict(re.findall(r"^### (\S+)\n(.*?)(?=^##|\Z)", page, re.MULTILINE | re.DOTALL))
    names = {*TRANSFORMS, *CONVERSIONS}
    assert set(sections) == names
    assert [name for name in sorted(names) if "` gives\n" not in sections[name]] == []
    assert [name for name in sorted(names) if "**Leaves**" not in sections[name]] == []


def test_every_table_is_shown_in_full(text):
    schedules, targets, onnx = (text(f"docs/reference/{name}.md") for name in ("schedules", "targets", "onnx"))
    assert [word for word in PRIMITIVES if f"\n## {word}\n" not in schedules] == []
    assert [name for name in TARGETS if f"\n## {name}\n" not in targets] == []
    assert [name for name in OPERATORS if f"\n| `{name}` | " not in onnx] == []


def test_links_lead_somewhere():
    """Every relative link of a page of the repository names a file, and a heading of it if it names one."""
    wrong = []
    for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        prose = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
        for link in re.findall(r"\]\(([^)\s]+)\)", prose):
            file, _, heading = link.partition("#")
            target = (path.parent / file).resolve() if file else path
            if link.startswith("http"):
                continue
            if not target.exists() or (heading and heading not in anchors(target)):
                wrong.append(f"{path.relative_to(ROOT)}: {link}")
    assert wrong == []


def anchors(page):
    """The headings of a page as links name them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


# -- rows -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def named():
    """Row -> the tests that name it."""
    return acceptance.tests_by_row(ROOT)


@pytest.mark.parametrize("row", ROWS)
def test_every_row_is_in_the_table_and_has_a_test_that_names_it(row, named):
    table = (ROOT / "docs" / "acceptance.md").read_text(encoding="utf-8")
    assert len(re.findall(rf"^\| {row} \| \S", table, re.MULTILINE)) == 1
    assert named.get(row, []) != []
    for test in named[row]:
        file, _, name = test.partition("::")
        assert f"{'' if name.startswith('@') else 'def '}{name}(" in (ROOT / file).read_text(encoding="utf-8")


def test_rows_are_found_where_tests_name_them(tmp_path):
    (tmp_path / "tests").mkdir()
    (tmp_path / "lit_tests").mkdir()
    functions = (
        "def test_a07_name():\n    pass\n",
        'def test_docstring():\n    """Row A08."""\n',
        "def helper_a09():\n    pass\n",
        "def test_data07_is_no_row():\n    pass\n",
    )
    (tmp_path / "tests" / "test_x.py").write_text("\n\n".join(functions))
    (tmp_path / "lit_tests" / "y.mlir").write_text(
        "// RUN: x\n\n// (A10) one\nfunc.func @one() {\n  func.return\n}\nfunc.func @two() {\n  func.return\n}\n"
    )
    assert acceptance.tests_by_row(tmp_path) == {
        "A07": ["tests/test_x.py::test_a07_name"],
        "A08": ["tests/test_x.py::test_docstring"],
        "A10": ["lit_tests/y.mlir::@one"],
    }


# -- the command ----------------------------------------------------------------------------------------------------


@pytest.fixture
def checkout(tmp_path):
    """A repository with one page that runs code."""
    for folder in ("docs/design", "docs/tutorials", "examples", "lit_tests", "tests"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "docs" / "tutorials" / "one.md").write_text("```python\nprint(1)\n```\n\n```text\n1\n```\n")
    return tmp_path


def test_check_names_the_stale_page_and_writes_nothing(checkout, capsys):
    page = checkout / "docs" / "tutorials" / "one.md"
    assert main(["--check", "docs/tutorials/*"], checkout) == 0
    stale = page.read_text().replace("print(1)", "print(2)")
    page.write_text(stale)
    assert main(["--check", "docs/tutorials/*"], checkout) == 1
    assert "docs/tutorials/one.md: error: not what the code says now" in capsys.readouterr().err
    assert page.read_text() == stale
    assert main(["docs/tutorials/*"], checkout) == 0
    assert "```text\n2\n```" in page.read_text()
    assert main(["--check", "docs/tutorials/*"], checkout) == 0


def test_code_that_fails_is_an_error_of_its_page(checkout, capsys):
    (checkout / "docs" / "tutorials" / "two.md").write_text("```python\nraise KeyError('no')\n```\n")
    assert main(["docs/tutorials/*"], checkout) == 1
    assert "docs/tutorials/two.md: error: the block at two.md:1 failed: KeyError" in capsys.readouterr().err


def test_a_missing_page_is_written(checkout):
    assert main(["--check", "docs/reference/pipelines.md"], checkout) == 1
    assert main(["docs/reference/pipelines.md"], checkout) == 0
    assert "# Pipelines" in (checkout / "docs" / "reference" / "pipelines.md").read_text()


def test_elsewhere_it_says_that_the_docs_are_not_here(tmp_path, capsys):
    assert main([], tmp_path) == 2
    assert "this is no checkout" in capsys.readouterr().err


# -- first cases ----------------------------------------------------------------------------------------------------

LIT = """// RUN: stepwell-opt %s -p 'dce,other{n=1}' | filecheck %s
// RUN: stepwell-opt %s -p other | filecheck %s

// CHECK: @first
func.func private @before() {
  // inside
  func.return
}
func.func @first() {
  func.call @after() : () -> ()
  func.return
}
func.func @second() {
  func.return
}
func.func private @after()
    attributes {primitive = 1 : i64} {
  func.return
}
// -----
func.func @third() {
  func.return
}
"""


def test_the_first_case_ends_with_the_first_public_function_and_has_what_that_names(tmp_path):
    (tmp_path / "other.mlir").write_text(LIT)
    case = first_case(tmp_path, "other")
    assert case.pipeline == "dce,other{n=1}"
    assert [op.split("@")[1].split("(")[0] for op in top_level(case.text)] == ["before", "first", "after"]
    assert "// inside" in case.text
    assert "CHECK" not in case.text
    assert first_case(tmp_path, "missing") is None


def test_a_case_may_be_in_a_folder_of_the_pass(tmp_path):
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "more.mlir").write_text(LIT)
    assert first_case(tmp_path, "other").file.name == "more.mlir"
