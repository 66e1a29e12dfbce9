// Chromium keeps the first words that were laid out before the font for Hangul was ready.
if (document.fonts) document.fonts.ready.then(function () {
    var style = document.body.style;
    style.letterSpacing = '0.001px';
    document.body.getBoundingClientRect();
    style.letterSpacing = '';
});
// What is wider than its place can be scrolled with the keys too.
(function () {
    function reach() {
        document.querySelectorAll("pre, .panel, .panels, .sheet, .display").forEach(function (e) {
            if (e.scrollWidth > e.clientWidth + 1) e.tabIndex = 0;
            else e.removeAttribute("tabindex");
        });
    }
    reach();
    if (document.fonts) document.fonts.ready.then(reach);
    addEventListener("resize", reach);
    document.addEventListener("toggle", reach, true);
})();
(function () {
    var tip = document.getElementById("tip");
    function line(name, value) {
        var p = document.createElement("div"), b = document.createElement("b");
        b.textContent = name;
        p.append(b, " " + value);
        tip.append(p);
    }
    function leave() {
        tip.hidden = true;
        document.querySelectorAll("svg.lit, text.here").forEach(function (e) {
            e.classList.remove("lit", "here");
        });
    }
    function point(event) {
        var cell = event.target.closest ? event.target.closest(".cell") : null;
        leave();
        if (!cell) return;
        var map = cell.closest(".map"), data = cell.dataset;
        tip.replaceChildren();
        line(map.dataset.rows || "row", data.row);
        line(map.dataset.columns || "column", data.column);
        if (data.score) line("score", data.score);
        line(map.dataset.value, data.value);
        map.querySelectorAll("[data-label]").forEach(function (text) {
            var mine = text.dataset.label === "r" + data.r || text.dataset.label === "c" + data.c;
            if (mine) text.classList.add("here");
        });
        map.closest("svg").classList.add("lit");
        tip.hidden = false;
        var x = event.clientX + 16, y = event.clientY + 18, box = tip.getBoundingClientRect();
        if (x + box.width > innerWidth - 8) x = Math.max(8, event.clientX - box.width - 12);
        if (y + box.height > innerHeight - 8) y = event.clientY - box.height - 12;
        tip.style.left = x + "px";
        tip.style.top = y + "px";
    }
    document.querySelectorAll(".cell title").forEach(function (e) { e.remove(); });
    document.addEventListener("pointermove", point);
    document.addEventListener("pointerdown", point);
    document.addEventListener("scroll", leave, true);
})();
