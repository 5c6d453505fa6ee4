"""The shared library behind the package: where it is, and what its answers mean."""

import os
import pathlib

import cffi
import numpy as np

from ._declarations import DECLARATIONS

ffi = cffi.FFI()
ffi.cdef(DECLARATIONS)


class Error(RuntimeError):
    """A call of the library failed. `status` is its answer, the text its sentence."""

    status = None


class BadArgument(Error, ValueError):
    """The call is at fault: a value, a name or a file that makes no sense."""


class NoMemory(Error, MemoryError):
    """There was no memory."""


class Unsupported(Error, NotImplementedError):
    """This formulation, integrator or key do not go together."""


class BadFile(Error, OSError):
    """A file cannot be read, or is not what it should be."""

    def __str__(self):
        return str(self.args[0])


class TooManyContacts(Error):
    """More bodies touch than there is room for; see Sim.reserve."""


class Cancelled(Error):
    """A progress callback asked to stop."""


class NotConverged(Error):
    """The numbers are at fault: a smaller step or another start may help."""


class Singular(Error):
    """The equations of the step have no unique solution."""


class Infeasible(Error):
    """Position targets contradict each other."""


_errors = {
    -1: BadArgument,
    -2: NoMemory,
    -3: Unsupported,
    -4: BadFile,
    -5: TooManyContacts,
    -6: Cancelled,
    1: NotConverged,
    2: Singular,
    3: Infeasible,
}


def error(status, sentence):
    """The exception that belongs to a status."""
    made = _errors.get(int(status), Error)(sentence)
    made.status = int(status)
    return made


def check(status, sentence):
    """Raise where a status says so; `sentence` is asked for only then."""
    if status != 0:
        raise error(status, sentence() or text(lib.tml_status_name(status)))


def text(pointer):
    """A C string."""
    return "" if pointer == ffi.NULL else ffi.string(pointer).decode("utf-8", "replace")


def _candidates():
    named = os.environ.get("TRAMMEL_LIBRARY")
    if named:
        yield pathlib.Path(named)
        return
    here = pathlib.Path(__file__).resolve().parent
    for folder in (here, here.parent.parent / "build"):
        for name in ("libtrammel.so", "libtrammel.dylib", "trammel.dll"):
            yield folder / name


def library_path():
    """Where the shared library is; None where it is not there."""
    return next((str(path) for path in _candidates() if path.exists()), None)


def _open():
    found = library_path()
    if found is not None:
        return ffi.dlopen(found)
    tried = [str(path) for path in _candidates()]
    raise ImportError(
        "trammel: its shared library is not there; looked for "
        + ", ".join(tried)
        + ". Install the package with 'pip install .', build the library with 'make', "
        "or name it in TRAMMEL_LIBRARY"
    )


lib = _open()


def numbers(values, shape, what):
    """Values as a contiguous array of doubles of that shape (a scalar or one row is repeated)."""
    array = np.asarray(values, dtype=np.float64)
    if array.shape != tuple(shape):
        try:
            array = np.broadcast_to(array, shape)
        except ValueError:
            raise BadArgument(f"{what} must have shape {tuple(shape)}, but has {array.shape}") from None
    return np.ascontiguousarray(array)


def pointer(array, kind="double*"):
    """Where the numbers of an array are; the array must outlive the call."""
    return ffi.NULL if array is None else ffi.cast(kind, array.ctypes.data)


def enum(find, kind, name, what):
    """The value of an enumeration by its name in scene files."""
    out = ffi.new(f"{kind}*")
    if not find(str(name).encode(), out):
        raise BadArgument(f"there is no {what} '{name}'")
    return out[0]
