"""
Pages by hand whose code is run: each prints what stands below it.

Each in a process of its own, since a page may add to the tables.
"""

import subprocess
import sys
from pathlib import Path

import pytest
from stepwell.tools.docs.executed import PageError, rendered
from stepwell.tools.docs.pages import EXECUTED

ROOT = Path(__file__).resolve().parent.parent
PAGES = [path.relative_to(ROOT).as_posix() for pattern in EXECUTED for path in sorted(ROOT.glob(pattern))]


@pytest.mark.parametrize("page", PAGES)
def test_page_prints_what_it_says(page):
    command = [sys.executable, "-m", "stepwell.tools.docs", "--check", page]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_three_documents_are_told():
    assert {f"docs/tutorials/{name}.md" for name in ("custom_pass", "graph_optimisation", "reorder_concat_relu")} <= {
        *PAGES
    }


@pytest.fixture
def page(tmp_path):
    """Writes a page in a repository of its own, and renders it."""
    for folder in ("examples", "lit_tests"):
        (tmp_path / folder).mkdir()
    (tmp_path / "examples" / "hello.txt").write_text("hello\n")

    def render(text):
        path = tmp_path / "page.md"
        path.write_text(text)
        return rendered(path, tmp_path)

    return render


def test_output_is_put_below_python(page):
    text = page(
        "```python\nx = 2\nprint(x)\n```\n\nand\n\n```text\nold\n```\n\n```python\nprint(x + 1)\n```\n\n```text\n```\n"
    )
    assert text == (
        "```python\nx = 2\nprint(x)\n```\n\nand\n\n```text\n2\n```\n\n```python\nprint(x + 1)\n```\n\n```text\n3\n```\n"
    )


def test_text_that_follows_no_code_stays(page):
    text = "```text\nby hand\n```\n\n```mlir\nfunc.func\n```\n\n```text\nby hand\n```\n"
    assert page(text) == text


def test_an_error_of_ours_is_output_and_another_is_not(page):
    text = page("```python\nimport stepwell\nstepwell.parse('func.func')\n```\n\n```text\n```\n")
    assert "```text\nModelError: " in text
    with pytest.raises(PageError, match=r"page\.md:1 failed: ZeroDivisionError"):
        page("```python\n1 / 0\n```\n")


def test_commands_are_run_only_where_their_output_is_shown(page):
    assert page("```sh\nfalse\n```\n") == "```sh\nfalse\n```\n"
    assert page("```sh\ncat examples/hello.txt\n```\n\n```text\n```\n").endswith("```text\nhello\n```\n")
    with pytest.raises(PageError, match="page.md:1 failed: false"):
        page("```sh\nfalse\n```\n\n```text\n```\n")


def test_tools_of_ours_run_in_commands(page):
    text = page(
        "```sh\necho 'builtin.module {}' > m.mlir\nstepwell-opt m.mlir -p dce | head -n 1\n```\n\n```text\n```\n"
    )
    assert text.endswith("```text\nbuiltin.module {\n```\n")
    text = page("```sh\nstepwell-opt missing.mlir\n```\n\n```text\n```\n")
    assert text.endswith("```text\nmissing.mlir: error: No such file or directory\n```\n")


def test_what_a_page_writes_is_gone(page, tmp_path):
    before = sorted(tmp_path.iterdir())
    page("```python\nopen('left.txt', 'w').close()\n```\n")
    assert sorted(set(tmp_path.iterdir()) - {tmp_path / "page.md"}) == before
    assert not Path("left.txt").exists()
