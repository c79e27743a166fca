"""Zstandard frames of the host, read by what is at hand: the standard library (3.14), `zstandard`, the host's node, or
the `zstd` command.

Node must be 22.15 or newer; one process serves all frames of a run. Where nothing is at hand, `CannotDecompress` says
so once for each thing that stays unread. Output is bounded, so that no frame can fill the memory.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import shutil
import struct
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import IO, Any, BinaryIO, cast

MAX_ROW = 64 * 1024 * 1024  # bytes of one record; the host's own limit is 4 MiB
MAX_FILE = 2 * 1024 * 1024 * 1024  # bytes of one decompressed transcript
HINT = "pip install zstandard, or have node 22.15 or newer or the zstd command on the PATH"

_NODE_TIMEOUT = 60.0
_BITE = 1024
# Frames come and go with a length before them; length 0xFFFFFFFF answers a frame that can't be read.
_SERVE = """
const z=require('zlib');if(!z.zstdDecompressSync)process.exit(3);process.stdout.write('ok\\n');
let b=Buffer.alloc(0);process.stdin.on('data',d=>{b=Buffer.concat([b,d]);while(b.length>=4){const n=b.readUInt32LE(0);
if(b.length<4+n)break;let o=null;try{o=z.zstdDecompressSync(b.subarray(4,4+n),{maxOutputLength:67108864})}catch(e){}
b=b.subarray(4+n);const h=Buffer.alloc(4);h.writeUInt32LE(o?o.length:0xFFFFFFFF);process.stdout.write(h);
if(o)process.stdout.write(o)}});process.stdin.on('end',()=>process.exit(0));
"""
_STREAM = """
const z=require('zlib');if(!z.createZstdDecompress)process.exit(3);
process.stdin.pipe(z.createZstdDecompress()).on('error',()=>process.exit(4)).pipe(process.stdout);
"""


class CannotDecompress(Exception):
    """No decoder is at hand, or the data is damaged."""


def _library() -> Any:
    """`compression.zstd` or `zstandard`, else None. Looked for when first needed: both are optional."""
    for name in ("compression.zstd", "zstandard"):
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    return None


def _node() -> str:
    """The host's node, '' where there is none."""
    return shutil.which("node") or ""


def _program() -> str:
    """The zstd command, '' where there is none."""
    return shutil.which("zstd") or ""


def _by_program(frame: bytes) -> bytes:
    with tempfile.TemporaryFile() as out:
        _run_program(io.BytesIO(frame), out, MAX_ROW)
        out.seek(0)
        return out.read()


def _run_program(raw: IO[bytes], out: IO[bytes], most: int) -> None:
    """Decompress a stream with the zstd command, at most `most` bytes."""
    with subprocess.Popen(
        [_program(), "-dcq"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        feeder = threading.Thread(target=_feed, args=(raw, child.stdin), daemon=True)
        feeder.start()
        size = 0
        while bite := child.stdout.read(1 << 16):
            size += len(bite)
            if size > most:
                child.kill()
                raise CannotDecompress(f"a compressed record of over {most >> 20} MB")
            out.write(bite)
        feeder.join()
    if child.returncode:
        raise CannotDecompress("damaged compressed data")


def _feed(raw: IO[bytes], pipe: IO[bytes]) -> None:
    # The program may end before it has read all (damaged data): what it said by its exit code counts.
    with contextlib.suppress(BrokenPipeError), pipe:
        shutil.copyfileobj(raw, pipe)


class Decompressor:
    """Decodes single frames. Use as a context manager: it may hold a child process."""

    def __init__(self) -> None:
        self._library = _library()
        self._node: subprocess.Popen[bytes] | None = None
        self._dead = ""

    def __enter__(self) -> Decompressor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the child process, if one was started."""
        if self._node is not None:
            _stop(self._node)
            self._node = None

    def row(self, frame: bytes) -> bytes:
        """The content of one frame; CannotDecompress where it can't be had."""
        if self._library is not None:
            return self._by_library(frame)
        if self._dead and _program():
            return _by_program(frame)
        try:
            return self._by_node(frame)
        except CannotDecompress:
            if self._dead and _program():  # no node, or one that is too old: the next way is tried
                return _by_program(frame)
            raise

    def _by_library(self, frame: bytes) -> bytes:
        try:
            done, whole = self._whole(frame)
        except Exception as error:
            raise CannotDecompress(f"damaged compressed data ({error})") from error
        if len(done) > MAX_ROW:
            raise CannotDecompress("a compressed record of over 64 MB")
        if not whole:
            raise CannotDecompress("damaged compressed data (it ends too early)")
        return done

    def _whole(self, frame: bytes) -> tuple[bytes, bool]:
        """(content, at most a little over the limit; whether the frame was complete)."""
        if self._library.__name__ != "zstandard":
            reader = self._library.ZstdDecompressor()
            return reader.decompress(frame, MAX_ROW + 1), bool(reader.eof)
        reader = self._library.ZstdDecompressor().decompressobj()
        parts: list[bytes] = []
        size = at = 0
        while at < len(frame) and size <= MAX_ROW and not reader.eof:
            parts.append(reader.decompress(frame[at : at + _BITE]))  # a kilobyte can hold 32 MB of zeros
            size += len(parts[-1])
            at += _BITE
        return b"".join(parts), bool(reader.eof)

    def _by_node(self, frame: bytes) -> bytes:
        child = self._start()
        assert child.stdin is not None
        assert child.stdout is not None
        try:
            child.stdin.write(struct.pack("<I", len(frame)) + frame)
            child.stdin.flush()
            (size,) = struct.unpack("<I", _exactly(child.stdout, 4))
            if size == 0xFFFFFFFF:
                raise CannotDecompress("damaged compressed data")
            return _exactly(child.stdout, size)
        except (OSError, struct.error) as error:
            self._dead = "the node that decompresses ended"
            self.close()
            raise CannotDecompress(self._dead) from error

    def _start(self) -> subprocess.Popen[bytes]:
        if self._dead:
            raise CannotDecompress(self._dead)
        if self._node is not None:
            return self._node
        node = _node()
        if not node:
            self._dead = f"compressed, and nothing at hand that reads it ({HINT})"
            raise CannotDecompress(self._dead)
        child = subprocess.Popen(
            [node, "-e", _SERVE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert child.stdout is not None
        if child.stdout.readline() != b"ok\n":
            _stop(child)
            self._dead = f"compressed, and this node is too old to read it ({HINT})"
            raise CannotDecompress(self._dead)
        self._node = child
        return child


def _exactly(stream: IO[bytes], size: int) -> bytes:
    data = stream.read(size)
    if len(data) != size:
        raise OSError("short answer")
    return data


def _stop(child: subprocess.Popen[bytes]) -> None:
    for pipe in (child.stdin, child.stdout):
        if pipe is not None:
            pipe.close()
    try:
        child.wait(timeout=5)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


def open_file(path: Path) -> BinaryIO:
    """A compressed file as a stream of its content, decompressed into a temporary file of at most 2 GB."""
    found = _library()
    out = cast(BinaryIO, tempfile.TemporaryFile())  # noqa: SIM115 - the caller closes it
    try:
        if found is not None:
            _file_by_library(found, path, out)
        elif _program():
            with path.open("rb") as raw:
                _run_program(raw, out, MAX_FILE)
        else:
            _file_by_node(path, out)
    except BaseException:
        out.close()
        raise
    out.seek(0)
    return out


def open_bytes(data: bytes) -> BinaryIO:
    """Compressed bytes as a stream of their content, by way of a temporary file."""
    with tempfile.TemporaryDirectory(prefix="silo-") as folder:
        path = Path(folder) / "archive.zst"
        path.write_bytes(data)
        return open_file(path)


def _file_by_library(library: Any, path: Path, out: BinaryIO) -> None:
    try:
        if library.__name__ == "zstandard":
            with (
                path.open("rb") as raw,
                library.ZstdDecompressor().stream_reader(raw, read_across_frames=True) as reader,
            ):
                _copy(reader, out)
        else:
            with library.open(path, "rb") as reader:
                _copy(reader, out)
    except (OSError, CannotDecompress):
        raise
    except Exception as error:
        raise CannotDecompress(f"damaged compressed data ({error})") from error


def _file_by_node(path: Path, out: BinaryIO) -> None:
    node = _node()
    if not node:
        raise CannotDecompress(f"compressed, and nothing at hand that reads it ({HINT})")
    with path.open("rb") as raw:
        try:
            done = subprocess.run(
                [node, "-e", _STREAM],
                stdin=raw,
                stdout=out,
                stderr=subprocess.DEVNULL,
                timeout=_NODE_TIMEOUT,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise CannotDecompress("decompressing took over a minute") from error
    if done.returncode == 3:
        raise CannotDecompress(f"compressed, and this node is too old to read it ({HINT})")
    if done.returncode:
        raise CannotDecompress("damaged compressed data")


def _copy(reader: Any, out: BinaryIO) -> None:
    total = 0
    while block := reader.read(1 << 20):
        total += len(block)
        if total > MAX_FILE:
            raise CannotDecompress("over 2 GB when decompressed")
        out.write(block)
