"""Recordings read back."""

import os

import numpy as np

from ._library import check, ffi, lib, text


class Recording:
    """A recording (.csv or .npz): columns by name, without copies.

    recording = Recording("run.csv")
    recording["rod.px"], recording.t, recording.columns
    """

    def __init__(self, path):
        why, out = ffi.new("char[512]"), ffi.new("tml_recording**")
        check(lib.tml_recording_read_file(os.fsencode(path), why, 512, out), lambda: text(why))
        self._recording = ffi.gc(out[0], lib.tml_recording_destroy)
        #: how many states there are
        self.count = lib.tml_recording_row_count(self._recording)
        #: the names of all columns
        self.columns = [
            text(lib.tml_recording_column_name(self._recording, i))
            for i in range(lib.tml_recording_column_count(self._recording))
        ]

    @classmethod
    def from_file(cls, path):
        """The same as Recording(path)."""
        return cls(path)

    def __len__(self):
        return self.count

    def __contains__(self, name):
        return lib.tml_recording_find(self._recording, name.encode()) >= 0

    def __iter__(self):
        return iter(self.columns)

    def keys(self):
        """The names of all columns."""
        return list(self.columns)

    def __getitem__(self, name):
        index = lib.tml_recording_find(self._recording, name.encode())
        if index < 0:
            raise KeyError(name)
        values = lib.tml_recording_column(self._recording, index)
        if self.count == 0:
            return np.empty(0)
        # the view holds on to the recording, whose memory it is
        owner = _Column(self._recording, values, self.count)
        view = np.asarray(owner)
        return view

    @property
    def t(self):
        """Times, s."""
        return self["t"]

    @property
    def contacts(self):
        """A list of dictionaries: time, a, b, position, normal, gap, force."""
        count = lib.tml_recording_contact_count(self._recording)
        listed = lib.tml_recording_contacts(self._recording)
        return [_contact(listed[i]) for i in range(count)]

    def __repr__(self):
        return f"<trammel.Recording: {self.count} states of {len(self.columns)} columns>"


class _Column:
    """Numbers that belong to a recording."""

    def __init__(self, recording, values, count):
        self._recording = recording
        self.__array_interface__ = {
            "shape": (count,),
            "typestr": np.dtype(np.float64).str,
            "data": (int(ffi.cast("uintptr_t", values)), True),
            "version": 3,
        }


def _contact(k):
    return {
        "time": k.time,
        "a": text(k.a),
        "b": text(k.b),
        "position": np.array([k.position.x, k.position.y, k.position.z]),
        "normal": np.array([k.normal.x, k.normal.y, k.normal.z]),
        "gap": k.gap,
        "force": np.array([k.force.x, k.force.y, k.force.z]),
    }
