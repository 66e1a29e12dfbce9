"""Chromium without a window, driven by Selenium.

    with Chromium() as page:
        page.resize(390, 900, dark=True)
        page.open("/home/me/heed/out/book/index.html")
        page.evaluate("document.title")
"""
import base64
import json
import pathlib
import time

try:
    from selenium import webdriver
    from selenium.common.exceptions import WebDriverException
except ImportError:
    raise SystemExit("Selenium is needed: apt install chromium chromium-driver python3-selenium") from None


class Chromium:
    def __init__(self):
        options = webdriver.ChromeOptions()
        for option in ("headless=new", "no-sandbox", "disable-gpu", "hide-scrollbars"):
            options.add_argument("--" + option)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        try:
            self.driver = webdriver.Chrome(options=options)
        except WebDriverException as error:
            raise SystemExit(f"apt install chromium chromium-driver: {error.msg}") from None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.quit()

    def command(self, method, **parameters):
        return self.driver.execute_cdp_cmd(method, parameters)

    def resize(self, width, height, dark=False):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height,
                     deviceScaleFactor=1, mobile=False)
        self.command("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def open(self, path):
        """Opens a file or an address and waits until it is complete. What was logged before is forgotten."""
        self.errors()
        self.requests()
        self.driver.get(path if str(path).startswith("http") else pathlib.Path(path).resolve().as_uri())

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
        """What the page has complained about since it was opened, or since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["source"] != "console-api"]

    def requests(self):
        """The addresses that the page has asked for since it was opened, or since the last call."""
        events = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        return [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]

    def picture(self, path, whole=True):
        """The whole page, or what the window shows, as a PNG file."""
        shot = self.command("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        pathlib.Path(path).write_bytes(base64.b64decode(shot["data"]))
