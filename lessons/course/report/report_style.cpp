#include "lessons/course/report/report_style.h"

namespace heed::course {

std::string_view report_style() {
    return R"(:root { color-scheme: light dark; --paper: #fffdf9; --ink: #1d1b18; --soft: #6b655c;
    --rule: #d9d2c5; --wash: #f6f1e8; --rubric: #a3321f; --good: #2c7a4b; --bad: #b3261e; }
@media (prefers-color-scheme: dark) {
    :root { --paper: #17181b; --ink: #e6e2da; --soft: #a19b90; --rule: #36383e;
        --wash: #202227; --rubric: #ef8f78; --good: #7cc796; --bad: #ff8a80; }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink);
    font: 18px/1.56 "Source Serif 4", "Source Serif Pro", Charter, "Bitstream Charter",
    "Iowan Old Style", "Palatino Linotype", Palatino, "Noto Serif", Georgia, "Liberation Serif",
    "Noto Serif CJK KR", "Noto Serif KR", "Apple SD Gothic Neo", "Malgun Gothic",
    "Heed Hangul", serif;
    text-rendering: optimizeLegibility; font-kerning: normal; }
main { --text: 37rem; --margin: 15rem; max-width: 59rem; margin: 0 auto;
    padding: 3.5rem 1.75rem 5rem; display: grid; column-gap: 3rem;
    grid-template-columns: minmax(0, var(--text)) minmax(0, var(--margin)); }
main > * { grid-column: 1; }
p { margin: 0 0 1em; hyphens: auto; overflow-wrap: break-word; hanging-punctuation: first last; }
h1, h2 { font-weight: 600; line-height: 1.18; text-wrap: balance; overflow-wrap: anywhere; }
h1 { font-size: 2.5rem; letter-spacing: -0.012em; margin: 0 0 1rem; }
h2 { font-size: 1.35rem; margin: 2.6rem 0 0.9rem; }
sup { font-size: 0.7em; line-height: 0; }
.power { white-space: nowrap; }
h3 { font-size: 1.08rem; font-weight: 600; margin: 1.8rem 0 0.6rem; }
math { font-family: "STIX Two Math", "Latin Modern Math", "Libertinus Math", "Cambria Math",
    "STIX", "STIXGeneral", "DejaVu Math TeX Gyre", math; font-size: 1.02em; }
munder > :nth-child(2), munderover > :nth-child(2) { padding-top: 0.15em; }
munderover > :nth-child(3) { padding-bottom: 0.15em; }
.display { display: block; margin: 0.9em 0; overflow-x: auto; overflow-y: hidden; padding: 0.15em 0; }
ul, ol { margin: 0 0 1em; padding-left: 1.5em; }
li { margin-bottom: 0.35em; overflow-wrap: break-word; }
blockquote { margin: 0 0 1em; padding-left: 1.1em; border-left: 2px solid var(--rule); }
.sheet { overflow-x: auto; margin: 0.4rem 0 1.5rem; }
a { color: var(--rubric); text-decoration-thickness: 0.06em; text-underline-offset: 0.15em; }
details.code { margin: 0 0 1.6rem; min-width: 0; }
summary { cursor: pointer; font-size: 0.87rem; color: var(--soft); margin-bottom: 0.4rem; }
details.code pre { white-space: pre; overflow-x: auto; margin: 0; font-size: 0.76rem; }
pre i { font-style: normal; }
pre .k { color: var(--rubric); }
pre .c { color: var(--soft); font-style: italic; }
pre .s, pre .n { color: var(--good); }
small, figcaption, .measured > span, .facts { color: var(--soft); }
code, pre { font: 0.85em/1.5 "Source Code Pro", "JetBrains Mono", Menlo, Consolas,
    "Liberation Mono", "Noto Sans Mono CJK KR", "Heed Hangul", monospace; }
pre { margin: 0 0 1.4em; padding: 0.9em 1.1em; background: var(--wash);
    white-space: pre-wrap; overflow-wrap: break-word; }
header { grid-column: 1 / -1; margin-bottom: 1.6rem; padding-bottom: 1.5rem;
    border-bottom: 1px solid var(--rule); }
.running { display: flex; justify-content: space-between; margin: 0 0 3.2rem;
    padding-bottom: 0.5rem; border-bottom: 1px solid var(--rule); font-variant-caps: all-small-caps;
    letter-spacing: 0.1em; color: var(--rubric); }
.question { max-width: var(--text); font-size: 1.28rem; line-height: 1.45; font-style: italic;
    margin-bottom: 1.1rem; }
.facts { font-size: 0.85rem; margin: 0; }
.facts i { color: var(--rubric); font-style: normal; padding: 0 0.15em; }
section, section > h2 { margin-top: 0; }
section { margin-bottom: 2rem; }
section.predictions + h2 { margin-top: 0.6rem; }
section.ledger { margin-top: 3rem; padding-top: 1.6rem; border-top: 1px solid var(--rule);
    grid-column: 1 / -1; }
figure, .claim { grid-column: 1 / -1; display: grid; column-gap: 3rem; margin: 0.8rem 0 2rem;
    grid-template-columns: minmax(0, var(--text)) minmax(0, var(--margin)); break-inside: avoid; }
figcaption { grid-column: 2; font-size: 0.87rem; line-height: 1.45; padding-top: 0.3rem; }
figcaption b { font-weight: 400; font-variant-caps: all-small-caps; letter-spacing: 0.06em;
    color: var(--rubric); padding-right: 0.35em; }
.panels { display: flex; flex-wrap: wrap; gap: 1.4rem 1.8rem; align-items: flex-start; min-width: 0; }
.panel { min-width: 0; max-width: 100%; overflow-x: auto; }
.panel svg { display: block; max-width: 100%; height: auto; }
.panel:has(svg.plot) { width: 100%; max-width: 35rem; }
.panel svg.plot { width: 100%; }
.claim { margin: 0 0 0.9rem; align-items: baseline; }
.claim p { margin: 0; padding-left: 1.7em; text-indent: -1.7em; }
.claim .measured { padding: 0; text-indent: 0; font-size: 0.87rem; line-height: 1.4; }
.claim .measured strong { font-size: 1.05rem; padding-right: 0.4em; }
svg.spread { display: block; max-width: 100%; margin-top: 0.25rem; fill: none; stroke-width: 1; }
svg.spread .line { stroke: var(--rule); }
svg.spread .seed { stroke: var(--soft); opacity: 0.75; }
svg.spread .bar { stroke: var(--rubric); stroke-dasharray: 2 2; }
svg.spread .own { fill: var(--ink); }
p + .claim, figure + .claim { margin-top: 0.4rem; }
.claim + p, .claim + h2 + p { margin-top: 0.7rem; }
.mark { display: inline-block; width: 1.7em; text-indent: 0; font-family: "Noto Sans Symbols2",
    "DejaVu Sans", "Segoe UI Symbol", sans-serif; font-weight: 700; }
td .mark { width: auto; }
.good { color: var(--good); }
.bad { color: var(--bad); }
table { border-collapse: collapse; font-size: 0.9rem; line-height: 1.4; max-width: 100%;
    border-top: 1.5px solid var(--ink); border-bottom: 1.5px solid var(--ink); }
th, td { text-align: left; vertical-align: baseline; padding: 0.36rem 1.3rem 0.36rem 0; }
th:last-child, td:last-child { padding-right: 0.2rem; }
th { font-weight: 600; border-bottom: 0.75px solid var(--ink); }
tbody tr + tr td { border-top: 0.75px solid var(--rule); }
.n { text-align: right; font-variant-numeric: tabular-nums lining-nums; }
td.n { white-space: nowrap; }
figure:has(table.wide) { display: block; }
section table { width: 100%; }
.table .panels { overflow-x: auto; }
footer { grid-column: 1 / -1; margin-top: 2.5rem; font-size: 0.85rem; color: var(--soft); }
svg .cell:hover rect.empty { stroke: #d18b00; stroke-width: 2; }
svg.lit text { opacity: 0.45; }
svg.lit .cell text, svg.lit text.here { opacity: 1; }
svg.lit text.here { font-weight: 700; }
#tip { position: fixed; z-index: 1; max-width: 17rem; padding: 0.55rem 0.8rem; pointer-events: none;
    background: var(--ink); color: var(--paper); border-radius: 3px; font-size: 0.83rem;
    line-height: 1.45; font-variant-numeric: tabular-nums; }
#tip b { display: inline-block; min-width: 4.4em; font-weight: 400; opacity: 0.7; }
@media (max-width: 56rem) {
    main { display: block; max-width: calc(var(--text) + 3.5rem); padding: 1.6rem 1.25rem 3rem; }
    h1 { font-size: 2rem; }
    figure, .claim { display: block; }
    figcaption { padding-top: 0.7rem; }
    .claim .measured { padding-left: 1.96em; }
}
@media (min-width: 60rem) {  /* long formulas and lines of code use the margin too */
    .display { margin-right: calc(-3rem - var(--margin)); }
    main > details.code { grid-column: 1 / -1; }
    details.code pre { width: fit-content; min-width: min(100%, var(--text)); max-width: 100%; }
}
@media (max-width: 34rem) {
    body { font-size: 16.5px; }
    h1 { font-size: 1.9rem; }
    .running { margin-bottom: 1.9rem; }
    .question { font-size: 1.15rem; }
    table { font-size: 0.82rem; }
    th, td { padding-right: 0.6rem; }
}
@media print {
    body { font-size: 11pt; }
    main { display: block; max-width: none; padding: 0; }
    figure, .claim { display: block; }
    figcaption { padding-top: 0.5rem; }
    details.code::details-content { content-visibility: visible; block-size: auto; }
    details.code pre { white-space: pre-wrap; font-size: 8pt; }
    h2, h3 { break-after: avoid; }
    #tip { display: none; }
}
)";
}

std::string_view report_script() {
    return R"(// Chromium keeps the first words that were laid out before the font for Hangul was ready.
if (document.fonts) document.fonts.ready.then(function () {
    var style = document.body.style;
    style.letterSpacing = '0.001px';
    document.body.getBoundingClientRect();
    style.letterSpacing = '';
});
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
)";
}

}  // namespace heed::course
