"""Caddy with the configuration of deploy/, on free ports of 127.0.0.1 and with certificates of its own."""

import os
import socket
import ssl
import subprocess
import time
from contextlib import contextmanager

import httpx

from support.requirements import ROOT

CADDYFILE = ROOT / "deploy" / "Caddyfile"


def environment(folder, servers=()):
    """What Caddy is told: where it may write, the host of the study, and its servers."""
    names = {"STUDY_SERVERS": " ".join(servers)} if servers else {}
    return {**os.environ, "HOME": str(folder), "STUDY_HOST": "localhost", **names}


def free_ports(count):
    probes = [socket.socket() for _ in range(count)]
    try:
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in probes]
    finally:
        for probe in probes:
            probe.close()


@contextmanager
def proxy(folder, servers, port):
    """Gives client(**options): a browser that trusts Caddy's certificates."""
    plain, data = free_ports(1)[0], folder / "caddy"
    options = ["admin off", "default_bind 127.0.0.1", f"http_port {plain}", f"https_port {port}"]
    options += ["skip_install_trust", f"storage file_system {data}"]
    config = folder / "Caddyfile"
    config.write_text("{\n" + "\n".join(options) + f"\n}}\nimport {CADDYFILE}\n")
    with (folder / "caddy.log").open("w") as log:
        process = subprocess.Popen(
            ["caddy", "run", "--adapter", "caddyfile", "--config", str(config)],
            env=environment(folder, servers),
            stdout=log,
            stderr=log,
        )
        try:
            deadline = time.monotonic() + 60
            while not (trust := _trust(data / "pki" / "authorities" / "local" / "root.crt", port)):
                assert process.poll() is None, (folder / "caddy.log").read_text()
                assert time.monotonic() < deadline, (folder / "caddy.log").read_text()
                time.sleep(0.05)

            def client(**options):
                return httpx.Client(base_url=f"https://localhost:{port}", verify=trust, timeout=60, **options)

            yield client
        finally:
            process.terminate()
            process.wait(30)


def _trust(root, port):
    """The context that trusts Caddy's root certificate, once its server has a certificate of that root."""
    try:
        context = ssl.create_default_context(cafile=str(root))
        with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
            context.wrap_socket(connection, server_hostname="localhost").close()
    except OSError:
        return None
    return context
