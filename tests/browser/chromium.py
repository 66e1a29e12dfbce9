"""Chromium without a window, driven over its DevTools protocol. Nothing but the standard library.

    with Chromium() as page:
        page.resize(390, 900, dark=True)
        page.open("/home/me/heed/out/book/index.html")
        page.evaluate("document.title")
"""
import base64
import json
import os
import pathlib
import shutil
import socket
import struct
import subprocess
import tempfile
import time
import urllib.request


class Socket:
    """The part of the WebSocket protocol (RFC 6455) that the DevTools need: texts, to one server."""

    def __init__(self, address):
        host, port = address.split("/")[2].split(":")
        self.socket = socket.create_connection((host, int(port)), timeout=60)
        key = base64.b64encode(os.urandom(16)).decode()
        path = "/" + address.split("/", 3)[3]
        self.socket.sendall(
            f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        self.bytes = b""
        while b"\r\n\r\n" not in self.bytes:
            self.bytes += self.socket.recv(65536)
        head, self.bytes = self.bytes.split(b"\r\n\r\n", 1)
        if b" 101 " not in head:
            raise OSError(f"{address}: {head[:80]!r}")

    def take(self, count):
        while len(self.bytes) < count:
            more = self.socket.recv(65536)
            if not more:
                raise OSError("Chromium has ended")
            self.bytes += more
        taken, self.bytes = self.bytes[:count], self.bytes[count:]
        return taken

    def send(self, text):
        data, mask = text.encode(), os.urandom(4)
        size = len(data)
        if size < 126:
            head = bytes([0x81, 0x80 | size])
        elif size < 1 << 16:
            head = struct.pack("!BBH", 0x81, 0x80 | 126, size)
        else:
            head = struct.pack("!BBQ", 0x81, 0x80 | 127, size)
        self.socket.sendall(head + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(data)))

    def receive(self):
        message = b""
        while True:
            first, size = self.take(2)
            if size == 126:
                (size,) = struct.unpack("!H", self.take(2))
            elif size == 127:
                (size,) = struct.unpack("!Q", self.take(8))
            part = self.take(size)
            if first & 0x0F in (0, 1):
                message += part
                if first & 0x80:
                    return message.decode()


class Chromium:
    def __init__(self):
        program = next((p for p in ("chromium", "chromium-browser", "google-chrome") if shutil.which(p)), None)
        if program is None:
            raise SystemExit("chromium is needed: apt install chromium")
        self.folder = tempfile.mkdtemp()
        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             "--remote-debugging-port=0", f"--user-data-dir={self.folder}", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        port = pathlib.Path(self.folder, "DevToolsActivePort")
        pages = []
        for _ in range(300):
            if port.exists() and port.read_text().count("\n"):
                address = f"http://127.0.0.1:{port.read_text().split()[0]}/json"
                pages = [p for p in json.load(urllib.request.urlopen(address)) if p["type"] == "page"]
                if pages:
                    break
            time.sleep(0.1)
        self.socket = Socket(pages[0]["webSocketDebuggerUrl"])
        self.number, self.events = 0, []
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.command(domain + ".enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def command(self, method, **parameters):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self.socket.receive())
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def resize(self, width, height, dark=False):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height,
                     deviceScaleFactor=1, mobile=False)
        self.command("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def open(self, path):
        """Opens a file or an address and waits until it is complete. The events of the page before are
        forgotten."""
        self.events = []
        url = path if str(path).startswith("http") else pathlib.Path(path).resolve().as_uri()
        self.command("Page.navigate", url=url)
        end = time.time() + 30
        while self.evaluate("document.readyState + location.href") != "complete" + url:
            if time.time() > end:
                raise TimeoutError(url)
            time.sleep(0.02)

    def evaluate(self, expression):
        """The value of an expression of JavaScript; a promise is waited for."""
        answer = self.command("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"].get("exception", {}).get("description", answer))
        return answer["result"].get("value")

    def wait(self, expression, seconds=60):
        """Waits until the expression is true. Returns whether it has become so."""
        end = time.time() + seconds
        while not self.evaluate(expression):
            if time.time() > end:
                return False
            time.sleep(0.03)
        return True

    def drag(self, x, y, to_x, to_y, touch=False):
        """From one point of the window to another, with the mouse or with a finger."""
        def mouse(kind, at_x, at_y):
            self.command("Input.dispatchMouseEvent", type=kind, x=at_x, y=at_y, button="left", buttons=1, clickCount=1)

        def finger(kind, points):
            self.command("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": a, "y": b} for a, b in points])

        if touch:
            finger("touchStart", [(x, y)])
            finger("touchMove", [(to_x, to_y)])
            finger("touchEnd", [])
        else:
            mouse("mousePressed", x, y)
            mouse("mouseMoved", to_x, to_y)
            mouse("mouseReleased", to_x, to_y)

    def key(self, name):
        for kind in ("keyDown", "keyUp"):
            self.command("Input.dispatchKeyEvent", type=kind, key=name)

    def errors(self):
        """What the page has complained about since it was opened."""
        return [e["params"] for e in self.events if e.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded")]

    def requests(self):
        """All addresses that the page has asked for."""
        return [e["params"]["request"]["url"] for e in self.events if e.get("method") == "Network.requestWillBeSent"]

    def picture(self, path, whole=True):
        """The whole page, or what the window shows, as a PNG file."""
        shot = self.command("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        pathlib.Path(path).write_bytes(base64.b64decode(shot["data"]))
