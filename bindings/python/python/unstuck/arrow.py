"""Scans of recordings as one function from an Arrow batch to an Arrow batch.

The engines of data teams (Ray, Daft, Spark, Polars, DuckDB) call such a function for each batch of their files. Batches go in
and out by the Arrow C data interface, so this needs no version of pyarrow::

    import pyarrow as pa
    from unstuck import arrow

    files = pa.record_batch({"path": ["examples/transcripts/stuck.jsonl"]})
    runs = pa.record_batch(arrow.scan(files))
"""

from __future__ import annotations

import ctypes
import itertools
import struct
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, cast

from ._native import TableScan

__all__ = ["Batch", "scan", "schema"]

#: Kinds of tables.
TableName = Literal["runs", "loops"]


class _Schema(ctypes.Structure):
    """``struct ArrowSchema``."""


class _Array(ctypes.Structure):
    """``struct ArrowArray``."""


class _Stream(ctypes.Structure):
    """``struct ArrowArrayStream``."""


#: Typed as anything: the types of ctypes do not know pointers to structures that are declared later.
_P: Any = ctypes.POINTER
_cast: Any = ctypes.cast
_ReleaseSchema = ctypes.CFUNCTYPE(None, _P(_Schema))
_ReleaseArray = ctypes.CFUNCTYPE(None, _P(_Array))
_ReleaseStream = ctypes.CFUNCTYPE(None, _P(_Stream))
_GetSchema = ctypes.CFUNCTYPE(ctypes.c_int, _P(_Stream), _P(_Schema))
_GetNext = ctypes.CFUNCTYPE(ctypes.c_int, _P(_Stream), _P(_Array))
_LastError = ctypes.CFUNCTYPE(ctypes.c_void_p, _P(_Stream))

_Schema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_void_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", _P(_P(_Schema))),
    ("dictionary", _P(_Schema)),
    ("release", ctypes.c_void_p),
    ("private_data", ctypes.c_void_p),
]
_Array._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", _P(ctypes.c_void_p)),
    ("children", _P(_P(_Array))),
    ("dictionary", _P(_Array)),
    ("release", ctypes.c_void_p),
    ("private_data", ctypes.c_void_p),
]
_Stream._fields_ = [
    ("get_schema", ctypes.c_void_p),
    ("get_next", ctypes.c_void_p),
    ("get_last_error", ctypes.c_void_p),
    ("release", ctypes.c_void_p),
    ("private_data", ctypes.c_void_p),
]

_NULLABLE = 2
_SCHEMA, _ARRAY, _STREAM = b"arrow_schema", b"arrow_array", b"arrow_array_stream"

_pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_of.restype = ctypes.c_void_p
_pointer_of.argtypes = [ctypes.py_object, ctypes.c_char_p]
_capsule = ctypes.pythonapi.PyCapsule_New
_capsule.restype = ctypes.py_object
_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_Destructor = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_raw_pointer_of = ctypes.PyDLL(None).PyCapsule_GetPointer
_raw_pointer_of.restype = ctypes.c_void_p
_raw_pointer_of.argtypes = [ctypes.c_void_p, ctypes.c_char_p]

#: What exported structures point to, until their consumers release them.
_kept: dict[int, Any] = {}
_keys = itertools.count(1)


def scan(
    batch: Any,
    table: TableName = "runs",
    *,
    preset: str | None = None,
    keep_secrets: bool = False,
    **settings: Any,
) -> Batch:
    """Returns a row for each run, or loop, in the recordings of a batch.

    ``batch`` is any object with ``__arrow_c_array__`` or ``__arrow_c_stream__``, such as a record batch or a data frame. It has
    a column ``path``, with files to read, or a column ``bytes``, with their contents (``path`` is only their name then), and
    perhaps a column ``format``. A file that cannot be read, or has no run, is a row with its ``error``; one file never stops
    the others. ``preset`` and the other keyword arguments are those of :class:`unstuck.Guard`.

    Copies of recordings are not left out, as they may lie in other batches: rows of copies have equal ``digest``.
    """
    work = TableScan(table, preset=preset, keep_secrets=keep_secrets, settings=settings or None)
    for path, data, kind in _rows(batch):
        work.add(path, data, kind)
    return Batch(work)


def schema(table: TableName = "runs") -> dict[str, str]:
    """Names of the columns of a table with their types, for engines that ask for them beforehand: ``string``, ``int64``,
    ``double`` or ``timestamp``."""
    return {name: _NAMES[kind] for name, kind, *_ in TableScan(table).finish()[1]}


_NO_COLUMN = "a batch must have a column `path` or `bytes`"
_FORMATS = {"text": b"U", "integer": b"l", "double": b"g", "time": b"tsm:UTC"}
_NAMES = {"text": "string", "integer": "int64", "double": "double", "time": "timestamp"}


class Batch:
    """Rows of a scan. Every library of Arrow takes it: ``pyarrow.record_batch(batch)``, ``polars.DataFrame(batch)``."""

    def __init__(self, work: TableScan) -> None:
        self._rows, self._columns = work.finish()

    def __len__(self) -> int:
        return self._rows

    @property
    def column_names(self) -> list[str]:
        """Names of the columns."""
        return [name for name, *_ in self._columns]

    def __arrow_c_schema__(self) -> object:
        """The schema, as a capsule of the Arrow C data interface."""
        made = _Schema()
        self._fill_schema(made)
        return _export(made, _SCHEMA)

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        """The rows, as capsules of the Arrow C data interface. A requested schema is ignored, as the interface allows."""
        made = _Array()
        self._fill_array(made)
        return self.__arrow_c_schema__(), _export(made, _ARRAY)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The rows as a stream of one batch."""
        made = _Stream()
        left = [self]

        def get_schema(_: Any, out: Any) -> int:
            return _copied(_Schema, self._fill_schema, out)

        def get_next(_: Any, out: Any) -> int:
            if left:
                return _copied(_Array, left.pop()._fill_array, out)
            ctypes.memset(out, 0, ctypes.sizeof(_Array))
            return 0

        def get_last_error(_: Any) -> None:
            return None

        calls = (_GetSchema(get_schema), _GetNext(get_next), _LastError(get_last_error))
        made.get_schema, made.get_next, made.get_last_error = (
            _cast(call, ctypes.c_void_p).value for call in calls
        )
        _keep(made, calls, _release_stream)
        return _export(made, _STREAM)

    def _fill_schema(self, made: _Schema) -> None:
        children = [_Schema() for _ in self._columns]
        for child, (name, kind, *_) in zip(children, self._columns, strict=True):
            child.format = _FORMATS[kind]
            child.name = name.encode()
            child.flags = _NULLABLE
            _keep(child, None, _release_schema)
        made.format = b"+s"
        made.name = b""
        _hold(made, _Schema, children, _release_schema)

    def _fill_array(self, made: _Array) -> None:
        children = [_Array() for _ in self._columns]
        for child, (_, _, nulls, *buffers) in zip(children, self._columns, strict=True):
            _fill(child, self._rows, nulls, [buffer for buffer in buffers if buffer is not None])
            _keep(child, buffers, _release_array)
        _fill(made, self._rows, 0, [None])
        _hold(made, _Array, children, _release_array)


def _fill(made: _Array, rows: int, nulls: int, buffers: list[bytes | None]) -> None:
    made.length, made.null_count, made.n_buffers = rows, nulls, len(buffers)
    pointers = (ctypes.c_void_p * len(buffers))(
        *(None if buffer is None else _cast(ctypes.c_char_p(buffer), ctypes.c_void_p).value for buffer in buffers)
    )
    made.buffers = _cast(pointers, _P(ctypes.c_void_p))


def _hold(made: Any, kind: Any, children: list[Any], release: Any) -> None:
    pointers: Any = (_P(kind) * len(children))(*(ctypes.pointer(child) for child in children))
    made.n_children = len(children)
    made.children = _cast(pointers, _P(_P(kind)))
    _keep(made, (children, pointers), release)


def _keep(made: Any, things: Any, release: Any) -> None:
    """Keeps what a structure points to until it is released."""
    key = next(_keys)
    # The structure's own objects hold its pointers.
    _kept[key] = (things, made._objects)
    made.private_data = key
    made.release = _cast(release, ctypes.c_void_p).value


def _released(pointer: Any) -> None:
    one = pointer.contents
    for at in range(getattr(one, "n_children", 0)):
        child = one.children[at].contents
        if child.release:
            _ReleaseSchema(child.release)(_cast(ctypes.pointer(child), _P(_Schema)))
    _kept.pop(one.private_data, None)
    one.release = None


_release_schema = _ReleaseSchema(_released)
_release_array = _ReleaseArray(_released)
_release_stream = _ReleaseStream(_released)


def _copied(kind: Any, fill: Any, out: Any) -> int:
    """Fills a structure of the consumer. An exception is an error code for it."""
    try:
        made = kind()
        fill(made)
        ctypes.memmove(out, ctypes.byref(made), ctypes.sizeof(kind))
        return 0
    except Exception:
        return 5


def _export(made: Any, name: bytes) -> object:
    """A capsule with a structure, which is released with it unless a consumer has taken it."""
    address = ctypes.addressof(made)
    _kept[-address] = made
    return _capsule(address, name, _cast(_destructors[name], ctypes.c_void_p))


def _destructor(kind: Any, name: bytes) -> Any:
    def destroy(capsule: int) -> None:
        address = _raw_pointer_of(capsule, name)
        one: Any = _cast(address, _P(kind))
        if one.contents.release:
            _released(one)
        _kept.pop(-address, None)

    return _Destructor(destroy)


_destructors = {
    _SCHEMA: _destructor(_Schema, _SCHEMA),
    _ARRAY: _destructor(_Array, _ARRAY),
    _STREAM: _destructor(_Stream, _STREAM),
}


def _rows(batch: Any) -> Iterator[tuple[str | None, bytes | None, str | None]]:
    """Path, contents and format of each row."""
    if hasattr(batch, "__arrow_c_array__"):
        schema, array = batch.__arrow_c_array__()
        shape = _Schema.from_address(_pointer_of(schema, _SCHEMA))
        yield from _files(shape, _Array.from_address(_pointer_of(array, _ARRAY)))
    elif hasattr(batch, "__arrow_c_stream__"):
        capsule = batch.__arrow_c_stream__()
        stream = _Stream.from_address(_pointer_of(capsule, _STREAM))
        shape, array = _Schema(), _Array()
        _checked(stream, _GetSchema(stream.get_schema)(ctypes.byref(stream), ctypes.byref(shape)))
        try:
            while True:
                _checked(stream, _GetNext(stream.get_next)(ctypes.byref(stream), ctypes.byref(array)))
                if not array.release:
                    return
                try:
                    yield from _files(shape, array)
                finally:
                    _ReleaseArray(array.release)(ctypes.byref(array))
        finally:
            _ReleaseSchema(shape.release)(ctypes.byref(shape))
    elif isinstance(batch, Mapping):
        columns = cast(Mapping[str, Iterable[Any]], batch)
        names = [name for name in ("path", "bytes", "format") if name in columns]
        if not {"path", "bytes"} & set(names):
            raise ValueError(_NO_COLUMN)
        if any(isinstance(columns[name], (str, bytes)) for name in names):
            raise TypeError("a column is a list of values, not a single one")
        for values in zip(*(columns[name] for name in names), strict=True):
            row = dict(zip(names, values, strict=True))
            yield row.get("path"), row.get("bytes"), row.get("format")
    else:
        raise TypeError("a batch has `__arrow_c_array__` or `__arrow_c_stream__`, or is a dictionary of columns")


def _checked(stream: _Stream, code: int) -> None:
    if code != 0:
        text = _LastError(stream.get_last_error)(ctypes.byref(stream))
        raise OSError(ctypes.string_at(text).decode(errors="replace") if text else f"error {code} of a stream")


def _files(shape: _Schema, array: _Array) -> Iterator[tuple[str | None, bytes | None, str | None]]:
    if shape.format != b"+s":
        raise TypeError("a batch must be a struct of named columns, such as a record batch")
    columns: dict[bytes, tuple[_Schema, _Array]] = {}
    for at in range(shape.n_children):
        child = shape.children[at].contents
        columns[child.name] = (child, array.children[at].contents)
    if b"path" not in columns and b"bytes" not in columns:
        raise ValueError(_NO_COLUMN)
    start, length = array.offset, array.length
    read = [
        _values(name.decode(), *columns[name], start, length) if name in columns else itertools.repeat(None, length)
        for name in (b"path", b"bytes", b"format")
    ]
    for path, data, kind in zip(*read, strict=True):
        yield _text(path), data, _text(kind)


def _text(value: bytes | None) -> str | None:
    return None if value is None else value.decode(errors="surrogateescape")


def _values(name: str, shape: _Schema, array: _Array, start: int, length: int) -> Iterator[bytes | None]:
    """The values of a column of texts or bytes."""
    if shape.dictionary:
        words = array.dictionary.contents
        known = list(_values(name, shape.dictionary.contents, words, 0, words.length))
        width = {b"c": 1, b"C": 1, b"s": 2, b"S": 2, b"i": 4, b"I": 4, b"l": 8, b"L": 8}[shape.format]
        is_signed = shape.format.islower()
        for at in _places(array, start, length):
            if at is None:
                yield None
            else:
                index = ctypes.string_at(array.buffers[1] + at * width, width)
                yield known[int.from_bytes(index, "little", signed=is_signed)]
        return
    if shape.format in (b"u", b"z", b"U", b"Z"):
        wide = shape.format.isupper()
        offsets = _cast(array.buffers[1], _P(ctypes.c_int64 if wide else ctypes.c_int32))
        data = array.buffers[2] or 0
        for at in _places(array, start, length):
            yield None if at is None else ctypes.string_at(data + offsets[at], offsets[at + 1] - offsets[at])
        return
    if shape.format in (b"vu", b"vz"):
        views = array.buffers[1] or 0
        for at in _places(array, start, length):
            if at is None:
                yield None
                continue
            view = ctypes.string_at(views + 16 * at, 16)
            (size,) = struct.unpack_from("<i", view)
            if size <= 12:
                yield view[4 : 4 + size]
            else:
                buffer, offset = struct.unpack_from("<ii", view, 8)
                yield ctypes.string_at(array.buffers[2 + buffer] + offset, size)
        return
    raise TypeError(f"the column `{name}` has no text or bytes")


def _places(array: _Array, start: int, length: int) -> Iterator[int | None]:
    """Places of the values of a column, ``None`` where there is none."""
    bits = array.buffers[0]
    for at in range(array.offset + start, array.offset + start + length):
        is_there = not bits or array.null_count == 0 or ctypes.string_at(bits + at // 8, 1)[0] >> at % 8 & 1
        yield at if is_there else None
