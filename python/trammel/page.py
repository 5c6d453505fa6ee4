"""Models and recordings in a notebook, or as a page of their own: the viewer, without a server and without a network."""

import functools
import html
import os
import pathlib
import tempfile

from ._library import Error, Unsupported, check, ffi, lib, library_path, text
from .recording import Recording

_MOST = 24 << 20  # bytes of frames in a page
_HEIGHT = 460  # px in a notebook

_page_ffi = type(ffi)()
_page_ffi.cdef(
    """
    char* trammel_page(const void* model, const void* recording, const char* note, size_t most, char* why, size_t capacity);
    void trammel_page_free(char* page);
    """
)


@functools.lru_cache(maxsize=1)
def _library():
    """The part that describes pages; it stands beside the library."""
    path = pathlib.Path(library_path()).parent / "libtrammel_page.so"
    if not path.exists():
        raise Unsupported(f"this build of trammel has no pages ({path.name} is not beside the library)")
    return _page_ffi.dlopen(str(path))


@functools.lru_cache(maxsize=2)
def _file(name):
    here = pathlib.Path(__file__).resolve().parent
    for folder in (here / "data", here.parent.parent / "viewer" / "bundle"):
        if (folder / name).exists():
            return (folder / name).read_text(encoding="utf-8")
    raise Unsupported(f"this build of trammel has no pages ({name} is missing)")


def _state_of(sim):
    """A recording of one state: where the simulation stands."""
    from .sim import Recorder

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "state.npz")
        with Recorder(sim, path, "pose,velocity,joints,energy,gap,contacts"):
            pass
        return Recording(path)


class View:
    """A replay in the viewer: of a recording, or of the one state where a model begins or a simulation stands.

        trammel.View(model, trammel.Recording("run.npz"))     # the last line of a notebook's cell shows it
        trammel.View(model).save("model.html")
    """

    def __init__(self, model, recording=None, note=""):
        self.model = model
        if recording is None:
            recording = _state_of(model.sim())
        elif not isinstance(recording, Recording):
            recording = _state_of(recording) if hasattr(recording, "poses") else Recording(recording)
        self.recording = recording
        self.note = note

    def _data(self):
        library = _library()
        why = _page_ffi.new("char[1200]")
        model = _page_ffi.cast("void*", int(ffi.cast("uintptr_t", self.model._model)))
        recording = _page_ffi.cast("void*", int(ffi.cast("uintptr_t", self.recording._recording)))
        page = library.trammel_page(model, recording, self.note.encode(), _MOST, why, 1200)
        if page == _page_ffi.NULL:
            raise Error(_page_ffi.string(why).decode())
        try:
            return _page_ffi.string(page).decode()
        finally:
            library.trammel_page_free(page)

    def html(self):
        """The whole page, which needs nothing else."""
        return (
            '<!doctype html><html lang="en" class="view"><head><meta charset="utf-8">'
            '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; script-src \'unsafe-inline\'; '
            "style-src 'unsafe-inline'; img-src data: blob:; media-src blob:\">"
            f"<title>{html.escape(self.model.name or 'trammel')}</title><style>{_file('view.css')}</style></head><body>"
            '<div id="trammel" class="trammel"></div>'
            f'<script type="application/json" id="trammel-data">{self._data()}</script>'
            f"<script>{_file('view.js')}</script></body></html>"
        )

    def save(self, path):
        """Write the page into a file, to open or to send."""
        pathlib.Path(path).write_text(self.html(), encoding="utf-8")
        return self

    def _repr_html_(self):
        return (
            f'<iframe srcdoc="{html.escape(self.html())}" title="{html.escape(self.model.name or "trammel")}" '
            f'style="width:100%;height:{_HEIGHT}px;border:0"></iframe>'
        )

    def __repr__(self):
        return f"<trammel.View of '{self.model.name}': {len(self.recording)} states>"


def shown(model, sim=None):
    """What a notebook shows of a model or a simulation: the viewer, or None (and then its repr) where this build has no
    pages or the model cannot be run as it is."""
    try:
        return View(model, sim)._repr_html_()
    except Error:
        return None
