"""A Ray cluster of two nodes on loopback, for tests that need one. The fixture `ray_address` is one for the whole session (`tests/conftest.py`).

The nodes are processes of ours, in a session and a folder of their own; at the end just these are stopped. `ray stop` would stop
every Ray on the machine. Both nodes find `blade` and `tests` by way of `PYTHONPATH`, as real nodes find the installed package.
They share a token made for the occasion, in the environment, so that whoever else is on the network cannot run code here.
"""

import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import pytest

ROOT = Path(__file__).parents[1]
NODES = 2
CPUS_PER_NODE = 1
SECONDS_TO_START = 120

needs_ray = pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed: pip install 'blade-eval[ray]'")


@pytest.fixture(scope="session")
def ray_address() -> Iterator[str]:
    """The address of a cluster with two nodes of one CPU each."""
    if find_spec("ray") is None:
        pytest.skip("Ray is not installed: pip install 'blade-eval[ray]'")
    os.environ |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
    # Ray puts sockets below this folder, and a socket's path must be short.
    folder = Path(tempfile.mkdtemp(prefix="ray", dir="/tmp"))
    address = f"127.0.0.1:{_free_port()}"
    nodes: list[subprocess.Popen[bytes]] = []
    try:
        nodes.append(_start_node(folder, "--head", f"--port={address.rpartition(':')[2]}", "--include-dashboard=false"))
        _wait_until_open(address, folder, nodes)
        nodes.extend(_start_node(folder, f"--address={address}") for _ in range(NODES - 1))
        _wait_for_nodes(address, folder, nodes)
        yield address
    finally:
        for node in reversed(nodes):
            _stop(node)
        shutil.rmtree(folder, ignore_errors=True)
        del os.environ["RAY_AUTH_MODE"], os.environ["RAY_AUTH_TOKEN"]


def _start_node(folder: Path, *options: str) -> subprocess.Popen[bytes]:
    temporary = [f"--temp-dir={folder}"] if "--head" in options else []
    command = [
        *(sys.executable, "-m", "ray.scripts.scripts", "start", "--block", "--node-ip-address=127.0.0.1"),
        *(f"--num-cpus={CPUS_PER_NODE}", "--object-store-memory=100000000", "--disable-usage-stats", *temporary, *options),
    ]
    environment = os.environ | {"PYTHONPATH": f"{ROOT / 'src'}:{ROOT}", "RAY_USAGE_STATS_ENABLED": "0"}
    environment.pop("RAY_ADDRESS", None)
    with (folder / f"node-{time.monotonic_ns()}.log").open("wb") as log:
        return subprocess.Popen(command, env=environment, cwd=ROOT, stdout=log, stderr=log, start_new_session=True)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait_until_open(address: str, folder: Path, nodes: list[subprocess.Popen[bytes]]) -> None:
    host, _, port = address.rpartition(":")
    for _ in _patiently(folder, nodes):
        with socket.socket() as probe:
            probe.settimeout(1)
            if probe.connect_ex((host, int(port))) == 0:
                return


def _wait_for_nodes(address: str, folder: Path, nodes: list[subprocess.Popen[bytes]]) -> None:
    """Ask from another process, so that this one stays free to connect as a test wants to."""
    code = "import ray, sys; ray.init(sys.argv[1], log_to_driver=False); print(sum(node['Alive'] for node in ray.nodes()))"
    for _ in _patiently(folder, nodes):
        asked = subprocess.run([sys.executable, "-c", code, address], capture_output=True, text=True, timeout=SECONDS_TO_START)
        if asked.stdout.strip().endswith(str(NODES)):
            return


def _patiently(folder: Path, nodes: list[subprocess.Popen[bytes]]) -> Iterator[None]:
    end = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < end:
        if any(node.poll() is not None for node in nodes):
            pytest.fail(f"a Ray node ended while it started:\n{_logs(folder)}")
        yield
        time.sleep(0.3)
    pytest.fail(f"the Ray cluster did not start within {SECONDS_TO_START} seconds:\n{_logs(folder)}")


def _logs(folder: Path) -> str:
    return "\n".join(log.read_text(errors="replace")[-3_000:] for log in sorted(folder.glob("node-*.log")))


def _stop(node: subprocess.Popen[bytes]) -> None:
    """Stop a node with all that it started, and nothing else."""
    try:
        family = [psutil.Process(node.pid), *psutil.Process(node.pid).children(recursive=True)]
    except psutil.NoSuchProcess:
        return
    node.send_signal(signal.SIGTERM)
    _, alive = psutil.wait_procs(family, timeout=15)
    for process in alive:
        process.kill()
    psutil.wait_procs(alive, timeout=15)
    node.wait(timeout=15)
