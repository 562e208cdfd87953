"""The cache and the C compiler: hits, deletions, many processes, size, and what is said when something is missing."""

import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest
from programs.compilers import COMPILERS
from stepwell import CompilerError
from stepwell.runtime import ModelSpec, Program, TensorSpec, library, load, toolchain
from stepwell.runtime.cache import STALE, Cache, default_cache

SOURCE = """
#include <stddef.h>
size_t one_workspace_size(void) { return 0; }
int one_run(float *y, void *workspace) { (void)workspace; *y = NUMBER; return 0; }
"""

SPEC = ModelSpec("one", "one_run", "one_workspace_size", (), (TensorSpec("y", "float32", ()),))


def program(number=1, flags=()):
    return Program(SPEC, SOURCE.replace("NUMBER", str(number)), flags=flags)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("STEPWELL_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def compilations(monkeypatch):
    """The programs that were compiled, as opposed to found."""
    seen = []
    compile_library = toolchain.compile_library
    monkeypatch.setattr(
        "stepwell.runtime.library.compile_library",
        lambda program, *rest: seen.append(program) or compile_library(program, *rest),
    )
    return seen


def test_the_same_source_is_compiled_once(compilations, folder):
    assert load(program())() == 1
    assert load(program())() == 1
    assert len(compilations) == 1
    assert len(list(folder.iterdir())) == 1


def test_source_flags_and_compiler_tell_programs_apart(compilations, monkeypatch):
    assert load(program(1))() == 1
    assert load(program(2))() == 2
    assert load(program("K", ("-DK=3",)))() == 3
    assert load(program("K", ("-DK=4",)))() == 4
    monkeypatch.setenv("CC", f"{toolchain.find_compiler()[0]} -O1")
    assert load(program(1))() == 1
    assert len(compilations) == 5


def test_the_cache_may_be_deleted_at_any_time(compilations, folder):
    model = load(program())
    shutil.rmtree(folder)
    assert model() == 1
    assert load(program())() == 1
    assert len(compilations) == 2


def test_the_cache_may_be_deleted_while_it_is_written(folder):
    done = threading.Event()

    def delete():
        while not done.is_set():
            shutil.rmtree(folder, ignore_errors=True)

    deleting = threading.Thread(target=delete)
    deleting.start()
    try:
        assert [float(load(program(number))()) for number in range(3)] == [0, 1, 2]
    finally:
        done.set()
        deleting.join()


def test_a_folder_deleted_under_the_compiler_is_made_again(compilations, folder, monkeypatch):
    compile_library = library.compile_library

    def compile_once_deleted(program, compiler, working):
        if not compilations:
            shutil.rmtree(folder)
        return compile_library(program, compiler, working)

    monkeypatch.setattr("stepwell.runtime.library.compile_library", compile_once_deleted)
    assert load(program(7))() == 7
    assert len(compilations) == 2


def test_a_folder_deleted_before_it_is_shrunk(tmp_path):
    made = tmp_path / "made"
    made.write_bytes(b"")

    class Deleted(Cache):
        def _shrink(self, newest):
            shutil.rmtree(self.folder)
            super()._shrink(newest)

    (tmp_path / "cache").mkdir()
    Deleted(tmp_path / "cache").publish(made, "new")


def test_the_cache_may_be_the_current_folder(compilations, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("STEPWELL_CACHE", ".")
    assert load(program())() == load(program())() == 1
    assert len(compilations) == 1


@pytest.mark.parametrize("name", ["a b", "it's", 'say "x"', "$HOME", "a;b", "*", "-o", "ünï"])
def test_a_folder_of_any_name(compilations, tmp_path, monkeypatch, name):
    monkeypatch.setenv("STEPWELL_CACHE", str(tmp_path / name))
    assert load(program())() == load(program())() == 1
    assert len(compilations) == 1


def test_a_broken_file_is_made_again(compilations, folder):
    load(program(5))
    (library,) = folder.iterdir()
    library.unlink()
    library.write_bytes(b"not a library")
    assert load(program(5))() == 5
    assert len(compilations) == 2


def test_a_folder_that_cannot_be_written_is_no_obstacle(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("STEPWELL_CACHE", str(tmp_path / "file" / "below"))
    assert load(program())() == 1


def test_what_was_not_used_for_longest_goes_first(tmp_path):
    cache = Cache(tmp_path, limit=250)
    for age, name in enumerate(["old", "older", "oldest"]):
        (tmp_path / name).write_bytes(bytes(100))
        os.utime(tmp_path / name, (time.time() - 100 * (age + 1),) * 2)
    assert cache.find("oldest") is not None
    with cache.working_folder() as working:
        (working / "x").write_bytes(bytes(100))
        assert cache.publish(working / "x", "new") == tmp_path / "new"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new", "oldest"]


def test_the_newest_stays_even_if_it_is_too_large(tmp_path):
    cache = Cache(tmp_path, limit=10)
    (tmp_path / "old").write_bytes(bytes(5))
    with cache.working_folder() as working:
        (working / "x").write_bytes(bytes(100))
        cache.publish(working / "x", "new")
    assert [path.name for path in tmp_path.iterdir()] == ["new"]


def test_leftovers_of_dead_processes_go(tmp_path):
    (tmp_path / "making-dead").mkdir()
    os.utime(tmp_path / "making-dead", (time.time() - 2 * STALE,) * 2)
    (tmp_path / "making-alive").mkdir()
    cache = Cache(tmp_path)
    with cache.working_folder() as working:
        (working / "x").write_bytes(b"")
        cache.publish(working / "x", "new")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["making-alive", "new"]


def test_no_working_folder_stays_behind_a_failed_compilation(folder):
    with pytest.raises(CompilerError):
        load(program("nonsense"))
    assert list(folder.iterdir()) == []


def test_many_threads_and_processes_at_once(folder):
    script = (
        "import sys; sys.path[:0] = sys.argv[1:]; from test_cache import load, program\n"
        "for number in range(3): assert load(program(number))() == number"
    )
    command = [sys.executable, "-c", script, *map(str, Path(__file__).parents[:2])]
    processes = [subprocess.Popen(command) for _ in range(3)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda number: float(load(program(number))()), [0, 1, 2] * 4)) == [0, 1, 2] * 4
    assert [process.wait() for process in processes] == [0, 0, 0]
    assert len([path for path in folder.iterdir() if path.suffix == ".so"]) == 3


def test_where_the_cache_is(monkeypatch, tmp_path):
    assert default_cache().folder == Path(os.environ["STEPWELL_CACHE"])
    monkeypatch.delenv("STEPWELL_CACHE")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    monkeypatch.setattr(sys, "platform", "linux")
    assert default_cache().folder == tmp_path / "xdg" / "stepwell"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert default_cache().folder == tmp_path / ".cache" / "stepwell"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert default_cache().folder == tmp_path / ".cache" / "stepwell"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert default_cache().folder == tmp_path / "Library" / "Caches" / "stepwell"


def test_without_a_home_only_a_folder_of_ones_own_is_taken(monkeypatch, tmp_path):
    """Anybody may make a folder of this name among the temporary ones, and what is in the cache is executed."""
    monkeypatch.delenv("STEPWELL_CACHE")
    monkeypatch.setattr(Path, "home", Mock(side_effect=RuntimeError))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    folder = tmp_path / f"stepwell-{os.getuid()}"
    assert default_cache().folder == folder
    assert folder.stat().st_mode & 0o777 == 0o700
    folder.chmod(0o777)
    assert default_cache().folder.parent == tmp_path
    assert default_cache().folder != folder
    folder.rmdir()
    folder.symlink_to(tmp_path)
    assert default_cache().folder != folder


def test_the_compiler_may_be_a_relative_path(monkeypatch, tmp_path):
    (tmp_path / "my-cc").symlink_to(shutil.which(toolchain.find_compiler()[0]))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CC", "./my-cc")
    assert load(program())() == 1


def test_a_compiler_behind_another_program_and_one_that_warns(monkeypatch, tmp_path):
    compiler = shutil.which(toolchain.find_compiler()[0])
    monkeypatch.setenv("CC", f"env {compiler}")
    assert load(program())() == 1
    loud = tmp_path / "loud cc"
    loud.write_text(f'#!/bin/sh\necho "warning: loud" >&2\nexec {compiler} "$@"\n')
    loud.chmod(0o755)
    monkeypatch.setenv("CC", f"'{loud}'")
    assert load(program())() == 1


def test_a_compiler_for_another_machine(monkeypatch, tmp_path, folder):
    other = tmp_path / "other-cc"
    other.write_text('#!/bin/sh\n[ "$1" = --version ] || echo none of ours > one.so\n')
    other.chmod(0o755)
    monkeypatch.setenv("CC", str(other))
    with pytest.raises(CompilerError, match=r"other-cc' made cannot be loaded here: .*a compiler for this machine"):
        load(program())
    assert list(folder.iterdir()) == []


def test_a_compiler_that_hides_the_functions(monkeypatch):
    monkeypatch.setenv("CC", f"{toolchain.find_compiler()[0]} -fvisibility=hidden")
    with pytest.raises(CompilerError, match="does not let 'one_run' be called"):
        load(program())


@pytest.mark.parametrize("compiler", COMPILERS)
def test_either_compiler(monkeypatch, compiler):
    monkeypatch.setenv("CC", compiler)
    assert load(program(11))() == 11


def test_no_compiler_says_what_to_do(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    with pytest.raises(CompilerError, match=r"no C compiler: .*`stepwell\.run` interprets"):
        load(program())
    monkeypatch.setenv("CC", "nowhere-cc -O3")
    with pytest.raises(CompilerError, match="CC is 'nowhere-cc -O3', and there is no program 'nowhere-cc'"):
        load(program())


def test_a_command_that_cannot_be_read(monkeypatch):
    monkeypatch.setenv("CC", 'gcc "')
    with pytest.raises(CompilerError, match="CC is 'gcc \"', which is no command"):
        load(program())


def test_a_program_that_is_no_compiler(monkeypatch, tmp_path):
    broken = tmp_path / "broken-cc"
    broken.write_text("not even a script")
    broken.chmod(0o755)
    monkeypatch.setenv("CC", str(broken))
    with pytest.raises(CompilerError, match="the C compiler does not start"):
        load(program())
    monkeypatch.setenv("CC", "true")
    with pytest.raises(CompilerError, match="the C compiler ended with 0: true -std=c11"):
        load(program())


def test_what_the_compiler_says_is_shown_up_to_a_point():
    with pytest.raises(CompilerError) as caught:
        load(program("\n".join(f"nonsense{n};" for n in range(200))))
    text = str(caught.value)
    assert "-ffp-contract=off" in text
    assert "nonsense" in text
    assert len(text.splitlines()) <= toolchain.SHOWN_LINES + 1


def test_results_do_not_depend_on_contraction(monkeypatch):
    source = """
    #include <stddef.h>
    size_t one_workspace_size(void) { return 0; }
    int one_run(const float *x, float *y, void *workspace) { (void)workspace; *y = x[0] * x[1] + x[2]; return 0; }
    """
    spec = ModelSpec(
        "one", "one_run", "one_workspace_size", (TensorSpec("x", "float32", (3,)),), (TensorSpec("y", "float32", ()),)
    )
    x = np.array([1 + 2**-12, 1 + 2**-12, -1 - 2**-11], np.float32)
    flags = ("-mfma",) if "fma" in Path("/proc/cpuinfo").read_text().split() else ()
    assert load(Program(spec, source, flags=flags))(x) == x[0] * x[1] + x[2] == 0
