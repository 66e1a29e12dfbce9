(function () {
"use strict";
var figures = Array.from(document.querySelectorAll("figure.live")), worker = null, waiting = {}, next = 0;

// --- heed, in a worker.

function ask(request, then, file) {
    waiting[++next] = then;
    worker.postMessage({id: next, request: JSON.stringify(request), file: file});
}
function load() {
    if (worker || load.begun) return;
    load.begun = true;
    var script = document.createElement("script");
    script.src = "heed.js";
    script.onload = function () {  // a worker may not be read from a folder, but from a text
        var code = new Blob(["(" + window.heed_worker + ")()"], {type: "text/javascript"});
        worker = new Worker(URL.createObjectURL(code));
        worker.onmessage = function (event) {
            var then = waiting[event.data.id];
            delete waiting[event.data.id];
            then(JSON.parse(event.data.answer));
        };
        worker.onerror = function (event) { failed(event.message || "heed could not start here"); };
        figures.forEach(enliven);
    };
    // No fault: heed is still being compiled for browsers, or the reader has left it out.
    script.onerror = function () {
        figures.forEach(function (figure) { figure.classList.add("still"); });
        failed("This figure shows its first settings. You can change it once ./heed book has compiled heed for " +
            "browsers, which it does last of all: then heed.js lies beside this page. Load the page again after that.");
    };
    document.head.append(script);
}
function failed(words) {
    figures.forEach(function (figure) { figure.querySelector(".trouble").textContent = words; });
}

// --- One figure.

function enliven(figure) {
    var name = figure.dataset.figure, stage = figure.querySelector(".stage"),
        form = figure.querySelector("form"), panels = figure.querySelector(".panels"),
        said = figure.querySelector(".said"), numbers = figure.querySelector("dl"),
        trouble = figure.querySelector(".trouble"), changed = {}, busy = false, stale = false,
        training = false;

    function show(answer) {
        trouble.textContent = answer.error || "";
        if (answer.error) return;
        var held = document.activeElement, again = null;
        if (held && panels.contains(held))
            again = held.dataset.place ? "[data-place='" + held.dataset.place + "']"
                : "[data-switch='" + held.dataset.switch + "'][data-index='" + held.dataset.index + "']";
        answer.svgs.forEach(function (svg, i) {
            if (!panels.children[i]) {
                panels.append(document.createElement("div"));
                panels.children[i].className = "panel";
            }
            if (panels.children[i].innerHTML !== svg) panels.children[i].innerHTML = svg;
        });
        while (panels.children.length > answer.svgs.length) panels.lastChild.remove();
        if (again && panels.querySelector(again)) panels.querySelector(again).focus();
        said.textContent = answer.text;
        said.hidden = !answer.text;
        numbers.replaceChildren.apply(numbers, answer.numbers.map(function (number) {
            var row = document.createElement("div"), term = document.createElement("dt"),
                value = document.createElement("dd");
            term.textContent = number.name;
            value.textContent = number.shown;
            value.dataset.value = number.value;
            row.append(term, " ", value);
            return row;
        }));
    }
    // One question at a time; what is changed meanwhile is asked afterwards.
    function draw(start, file) {
        if (busy) return void (stale = start ? "start" : stale || "draw");
        busy = true;
        figure.dataset.busy = "";
        var request = {"do": start ? "start" : training ? "learn" : "draw", figure: name, inputs: changed};
        if (request["do"] === "learn") request.milliseconds = 250;
        if (file) request.model = file.name;
        ask(request, function (answer) {
            busy = false;
            show(answer);
            if (request["do"] === "learn" && (!answer.more || answer.error)) set_training(false);
            if (stale || training) {
                var again = stale === "start";
                stale = false;
                draw(again);
            } else {
                delete figure.dataset.busy;
                window.heed_first_answer = window.heed_first_answer || performance.now();
            }
        }, file);
    }
    function set_training(on) {
        training = on;
        form.elements.train.textContent = on ? "Stop" : "Train";
    }

    // --- The controls of the form.

    Array.from(form.elements).forEach(function (element) {
        element.disabled = false;
        if (element.dataset.switches)
            changed[element.name] = Array.from(element.dataset.switches, function (bit) { return bit === "1"; });
        if (element.dataset.x) changed[element.name] = [Number(element.dataset.x), Number(element.dataset.y)];
    });
    form.addEventListener("submit", function (event) { event.preventDefault(); });
    form.addEventListener("input", function (event) {
        var element = event.target, number = element.type === "range" || element.tagName === "SELECT";
        changed[element.name] = number ? Number(element.value) : element.value;
        var output = element.parentNode.querySelector("output");
        if (output) output.textContent = String(Number(Number(element.value).toPrecision(4)));
        draw();
    });
    form.addEventListener("click", function (event) {
        if (event.target.name === "train") { set_training(!training); draw(); }
        if (event.target.name === "again") { if (training) set_training(false); draw(true); }
    });

    // --- Points that are dragged, and cells that are switched.

    function move(handle, event) {
        var data = handle.dataset, svg = handle.ownerSVGElement, box = svg.getBoundingClientRect(),
            scale = svg.viewBox.baseVal.width / box.width,
            x = ((event.clientX - box.left) * scale - data.left) / data.size,
            y = 1 - ((event.clientY - box.top) * scale - data.top) / data.size;
        place(data, x, y);
    }
    function place(data, x, y) {  // x and y from 0 to 1
        var low = Number(data.low), range = data.high - data.low;
        function inside(t) { return Number((low + range * Math.min(1, Math.max(0, t))).toFixed(4)); }
        changed[data.place] = [inside(x), inside(y)];
        draw();
    }
    function turn(element, on) {
        var cells = changed[element.dataset.switch], index = Number(element.dataset.index);
        if (cells[index] === on) return;
        cells[index] = on;
        draw();
    }
    var held = null, painting = null;
    panels.addEventListener("pointerdown", function (event) {
        var handle = event.target.closest("[data-place]"), cell = event.target.closest("[data-switch]");
        if (handle) held = handle.dataset.place;
        if (cell) {
            var on = !changed[cell.dataset.switch][Number(cell.dataset.index)];
            if ("paint" in cell.dataset) painting = on;
            turn(cell, on);
        }
        if (handle || cell) event.preventDefault();
        if (handle) handle.focus();
    });
    document.addEventListener("pointermove", function (event) {
        if (held !== null) {
            var handle = panels.querySelector("[data-place='" + held + "']");
            if (handle) move(handle, event);
        } else if (painting !== null) {
            var under = document.elementFromPoint(event.clientX, event.clientY);
            if (under && panels.contains(under) && under.closest("[data-paint]")) turn(under, painting);
        }
    });
    ["pointerup", "pointercancel"].forEach(function (end) {
        document.addEventListener(end, function () { held = painting = null; });
    });
    panels.addEventListener("keydown", function (event) {
        var step = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]}[event.key],
            handle = event.target.closest("[data-place]"), cell = event.target.closest("[data-switch]");
        if (step && handle) {
            var data = handle.dataset, at = changed[data.place], range = data.high - data.low;
            place(data, (at[0] - data.low) / range + step[0] / 40, (at[1] - data.low) / range + step[1] / 40);
        } else if (step && cell) {  // to the next cell of this grid
            var all = Array.from(panels.querySelectorAll("[data-switch='" + cell.dataset.switch + "']")),
                from = cell.getBoundingClientRect();
            var beside = all.filter(function (other) {
                var to = other.getBoundingClientRect(), dx = to.x - from.x, dy = from.y - to.y;
                return step[0] ? Math.abs(dy) < 2 && dx * step[0] > 2 : Math.abs(dx) < 2 && dy * step[1] > 2;
            }).sort(function (a, b) {
                function far(e) {
                    var to = e.getBoundingClientRect();
                    return Math.abs(to.x - from.x) + Math.abs(to.y - from.y);
                }
                return far(a) - far(b);
            })[0];
            if (beside) beside.focus();
        } else if (cell && (event.key === "Enter" || event.key === " ")) {
            turn(cell, !changed[cell.dataset.switch][Number(cell.dataset.index)]);
        } else {
            return;
        }
        event.preventDefault();
    });

    figure.classList.add("ready");
    figure.inputs = changed;  // for the tests
    panels.style.minHeight = panels.getBoundingClientRect().height + "px";
    var saved = stage.querySelector("script");
    if (saved) {
        var text = atob(saved.textContent), bytes = new Uint8Array(text.length);
        for (var i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
        draw(true, {name: name + ".safetensors", bytes: bytes});
    } else if (numbers.children.length || panels.children.length) {
        draw();
    }
}

if (!figures.length) return;
if (!window.IntersectionObserver) return load();
var watch = new IntersectionObserver(function (seen) {
    if (seen.some(function (one) { return one.isIntersecting; })) { watch.disconnect(); load(); }
}, {rootMargin: "1200px"});
figures.forEach(function (figure) { watch.observe(figure); });
})();
