"""A real JupyterLab for the browser tests: started on a free port, stopped at the end."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import nbformat

START_LIMIT = 90


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class JupyterServer:
    """A JupyterLab, or a Notebook, in a folder of its own with a configuration of its own."""

    def __init__(self, folder: Path, app: str = "jupyterlab") -> None:
        self._app = app
        self.folder = folder / "work"
        self.folder.mkdir()
        self._log = folder / "jupyter.log"
        self._token = secrets.token_hex(16)
        self._port = free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self._log_file: IO[bytes] | None = None
        self._home = folder / "home"
        settings = self._home / "jupyterlab_settings_dir" / "@jupyterlab" / "apputils-extension"
        settings.mkdir(parents=True)
        # its question about news would lie over the notebook
        (settings / "notification.jupyterlab-settings").write_text(
            '{"fetchNews": "false", "checkForUpdates": false}'
        )
        # each page would start Node to ask whether JupyterLab is to be built anew
        config = self._home / "jupyter_config_dir" / "labconfig"
        config.mkdir(parents=True)
        (config / "page_config.json").write_text('{"buildCheck": false, "buildAvailable": false}')

    def start(self) -> None:
        """Start the server and wait until it answers."""
        environment = os.environ | {
            name: str(self._home / name.lower())
            for name in (
                "JUPYTER_CONFIG_DIR",
                "JUPYTER_DATA_DIR",
                "JUPYTER_RUNTIME_DIR",
                "JUPYTERLAB_SETTINGS_DIR",
                "JUPYTERLAB_WORKSPACES_DIR",
                "IPYTHONDIR",
            )
        }
        self._log_file = self._log.open("wb")
        self._process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                self._app,
                "--no-browser",
                "--allow-root",
                "--expose-app-in-browser",
                f"--ServerApp.port={self._port}",
                "--ServerApp.port_retries=0",
                f"--IdentityProvider.token={self._token}",
                f"--ServerApp.root_dir={self.folder}",
            ],
            stdout=self._log_file,
            stderr=subprocess.STDOUT,
            env=environment,
            cwd=self.folder,
        )
        deadline = time.monotonic() + START_LIMIT
        while True:
            try:
                self.request("GET", "api/status")
                return
            except (urllib.error.URLError, ConnectionError) as error:
                if self._process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError(
                        f"JupyterLab did not start: {error}\n{self._log.read_text()[-3000:]}"
                    ) from None
                time.sleep(0.1)

    def stop(self) -> None:
        """Stop the server and its kernels."""
        if self._process is not None:
            if self._process.poll() is None:
                self.stop_kernels()
            self._process.terminate()
            self._process.wait(timeout=30)
        if self._log_file is not None:
            self._log_file.close()

    def kernels(self) -> list[str]:
        """Return the ids of all running kernels."""
        return [kernel["id"] for kernel in json.loads(self.request("GET", "api/kernels"))]

    def stop_kernels(self) -> None:
        """Shut all kernels down."""
        for kernel in self.kernels():
            self.request("DELETE", f"api/kernels/{kernel}")

    def request(self, method: str, path: str) -> bytes:
        """Ask the server's own interface for something."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self._port}/{path}",
            method=method,
            headers={"Authorization": f"token {self._token}"},
        )
        with urllib.request.urlopen(request, timeout=10) as response:
            data: bytes = response.read()
            return data

    def add_notebook(self, source: Path) -> str:
        """Copy a notebook into the server's folder and return its name."""
        shutil.copy(source, self.folder / source.name)
        return source.name

    def add_made_notebook(self, cells: dict[str, str]) -> str:
        """Write a notebook of code cells given by their ids, and return its name."""
        name = f"made_{secrets.token_hex(4)}.ipynb"
        notebook = nbformat.v4.new_notebook(
            cells=[nbformat.v4.new_code_cell(code, id=cell_id) for cell_id, code in cells.items()],
            metadata={"kernelspec": {"name": "python3", "display_name": "Python 3 (ipykernel)"}},
        )
        nbformat.write(notebook, self.folder / name)
        return name

    def url(self, notebook: str) -> str:
        """Return the address that opens a notebook; in JupyterLab, in a workspace of its own."""
        if self._app == "notebook":
            return f"http://127.0.0.1:{self._port}/notebooks/{notebook}?token={self._token}"
        workspace = f"w{secrets.token_hex(4)}"
        return (
            f"http://127.0.0.1:{self._port}/lab/workspaces/{workspace}/tree/{notebook}"
            f"?token={self._token}&reset"
        )


@contextmanager
def running(jupyter: JupyterServer) -> Iterator[JupyterServer]:
    """Start a server, hand it out, and stop it."""
    try:
        jupyter.start()
        yield jupyter
    finally:
        jupyter.stop()
