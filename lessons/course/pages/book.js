(function () {
"use strict";

// --- The list of sections: open where it stands beside the text, and with the section in view marked.

var list = document.querySelector(".parts details");
if (list) {
    var beside = window.matchMedia("(min-width: 76rem)");
    var fold = function () { list.open = beside.matches; };
    fold();
    beside.addEventListener("change", fold);
    list.addEventListener("click", function (event) {
        if (event.target.closest("a") && !beside.matches) list.open = false;
    });
    var links = Array.from(list.querySelectorAll("a")), heads = links.map(function (link) {
        return document.getElementById(link.getAttribute("href").slice(1));
    });
    var follow = function () {
        var now = -1;
        heads.forEach(function (head, i) { if (head.getBoundingClientRect().top < innerHeight / 3) now = i; });
        links.forEach(function (link, i) {
            if (i === now) link.setAttribute("aria-current", "true");
            else link.removeAttribute("aria-current");
        });
    };
    document.addEventListener("scroll", follow, {passive: true});
    follow();
}

// --- The search. search.js calls window.heed_search with the sections of the book: address, place,
// title, text and other names of each.

var form = document.querySelector(".search"), input = form.querySelector("input"),
    box = document.querySelector(".hits"), status = box.querySelector("p"), hits = box.querySelector("ul"),
    sections = null, most = 20;

function load() {
    if (load.begun) return;
    load.begun = true;
    window.heed_search = function (rows) {
        sections = rows.map(function (row) {
            return {address: row[0], place: row[1], title: row[2], text: row[3], also: row[4],
                    low_title: folded(row[2]), low: folded(row[3]), low_also: row[4].map(folded)};
        });
        find();
    };
    var script = document.createElement("script");
    script.src = "search.js";
    script.onerror = function () {
        status.textContent = "The whole book, which ./heed book writes, can be searched; a single lesson cannot.";
    };
    document.head.append(script);
}

// As words are compared, letter by letter: small, without hyphens, and "normalization" as "normalisation".
function folded(text) {
    return text.toLowerCase().replace(/[-\/]/g, " ").replace(/iz(?=[aei])/g, "is");
}

function begins_word(text, word) {
    for (var at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
        if (at === 0 || !/[\p{L}\p{N}_]/u.test(text[at - 1])) return at;
    return -1;
}

// The other name of a section that has all of the words; undefined if none has.
function other_name(section, words) {
    return section.also.find(function (name, i) {
        return words.every(function (word) { return begins_word(section.low_also[i], word) >= 0; });
    });
}

// How well a section fits; 0 if one of the words is missing.
function fit(section, words) {
    var other = other_name(section, words), sum = other ? 10 : 0;
    if (section.low_also.indexOf(words.join(" ")) >= 0) sum += 90;
    for (var i = 0; i < words.length; ++i) {
        var word = words[i], points = 0;
        if (section.low_title === word) points += 40;
        if (begins_word(section.low_title, word) >= 0) points += 20;
        if (begins_word(section.low, word) >= 0) points += 3 + Math.min(5, section.low.split(word).length - 1);
        else if (section.low.indexOf(word) >= 0 || section.low_title.indexOf(word) >= 0) points += 1;
        if (!points && !other) return 0;
        sum += points;
    }
    var phrase = words.join(" ");
    if (words.length > 1 && section.low.indexOf(phrase) >= 0) sum += 15;
    if (section.place === "Glossary") sum += section.low_title === phrase ? 60 : 0;
    if (section.place === "The source") sum /= 2;
    return sum;
}

// The sentence with most of the words, with all of them marked. "Bahdanau et al. (2015)" goes on.
function context(section, words) {
    var best = "", most_words = 0;
    section.text.split(/(?<=[.?!])(?<!(?<![\p{L}])(?:al|cf|e\.g|i\.e|vs)\.) /u).forEach(function (sentence) {
        var low = folded(sentence), count = 0;
        words.forEach(function (word) { if (low.indexOf(word) >= 0) ++count; });
        if (count > most_words) { most_words = count; best = sentence; }
    });
    best = best || section.text;
    var at = Math.max(0, folded(best).indexOf(words[0])), begin = at > 150 ? best.indexOf(" ", at - 90) + 1 : 0;
    var text = (begin ? "… " : "") + best.slice(begin, begin + 240) + (best.length > begin + 240 ? " …" : "");
    var line = document.createElement("small");
    var pattern = words.map(function (word) { return word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"); }).join("|");
    var place = 0;
    folded(text).split(new RegExp("(" + pattern + ")")).forEach(function (part, i) {
        var whole = text.slice(place, place += part.length);
        if (i % 2) {
            var mark = document.createElement("mark");
            mark.textContent = whole;
            line.append(mark);
        } else {
            line.append(whole);
        }
    });
    return line;
}

// How many letters differ: insertions, deletions, substitutions, and neighbours that have changed places.
function edits_between(a, b) {
    var before = [], row = [];
    for (var j = 0; j <= b.length; ++j) row.push(j);
    for (var i = 1; i <= a.length; ++i) {
        var earlier = before;
        before = row;
        row = [i];
        for (j = 1; j <= b.length; ++j) {
            row[j] = Math.min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
            if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
                row[j] = Math.min(row[j], earlier[j - 2] + 1);
        }
    }
    return row[b.length];
}

// The words of the book, each with how often it stands there.
function words_of_book() {
    if (!words_of_book.all) {
        words_of_book.all = new Map();
        sections.forEach(function (section) {
            [section.title, section.text].concat(section.also).forEach(function (text) {
                text.toLowerCase().split(/[^\p{L}]+/u).forEach(function (word) {
                    if (word.length > 2) words_of_book.all.set(word, (words_of_book.all.get(word) || 0) + 1);
                });
            });
        });
    }
    return words_of_book.all;
}

// The words nearest to one that the book does not have, the most frequent first: at most three, and with no more
// wrong letters than a third of its own.
function nearest(word) {
    var least = Math.floor((word.length + 1) / 3), near = [];
    words_of_book().forEach(function (count, other) {
        if (Math.abs(other.length - word.length) > least) return;
        var edits = edits_between(word, folded(other));
        if (edits > least) return;
        if (edits < least) near = [];
        least = edits;
        near.push({word: other, count: count});
    });
    return near.sort(function (a, b) { return b.count - a.count; }).slice(0, 3)
        .map(function (one) { return one.word; });
}

// What may have been meant by words that no section has together; nothing if the book has each of them.
function meant(words) {
    var offers = [[]], wrong = 0;
    words.forEach(function (word) {
        var known = sections.some(function (section) {
            return section.low.indexOf(word) >= 0 || section.low_title.indexOf(word) >= 0 || other_name(section, [word]);
        });
        var near = known ? [word] : nearest(word);
        if (!known) ++wrong;
        offers = [].concat.apply([], offers.map(function (before) {
            return near.map(function (other) { return before.concat(other); });
        })).slice(0, 3);
    });
    return wrong ? offers.map(function (offer) { return offer.join(" "); }) : [];
}

function offer(query) {
    var item = document.createElement("li"), button = document.createElement("button");
    button.type = "button";
    button.textContent = query;
    button.addEventListener("click", function (event) {
        event.stopPropagation();  // the list stays open
        input.value = query;
        input.focus();
        find();
    });
    item.append(button);
    hits.append(item);
}

function find() {
    var words = folded(input.value).split(/\s+/).filter(Boolean);
    box.hidden = !words.length;
    hits.replaceChildren();
    if (!words.length || !sections) return;
    var found = sections.map(function (section) { return {section: section, fit: fit(section, words)}; })
        .filter(function (one) { return one.fit > 0; })
        .sort(function (a, b) { return b.fit - a.fit; });
    var offers = found.length ? [] : meant(words);
    status.textContent = found.length + (found.length === 1 ? " section" : " sections") +
        (found.length > most ? ", the best " + most + " of them:" : offers.length ? "; did you mean" : "");
    offers.forEach(offer);
    found.slice(0, most).forEach(function (one) {
        var section = one.section, item = document.createElement("li"), link = document.createElement("a"),
            place = document.createElement("small"), title = document.createElement("strong");
        link.href = section.address;
        var other = other_name(section, words);
        title.textContent = (section.title || "Introduction") + (other ? ", also " + other : "");
        place.textContent = section.place;
        link.append(title, place, context(section, words));
        item.append(link);
        hits.append(item);
    });
}

function close() { box.hidden = true; }

form.addEventListener("submit", function (event) {
    event.preventDefault();
    var first = hits.querySelector("a, button");
    if (first) first.click();
});
input.addEventListener("focus", function () { load(); find(); });
input.addEventListener("input", function () { load(); find(); });
document.addEventListener("keydown", function (event) {
    var typing = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName);
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) {
        event.preventDefault();
        input.focus();
        input.select();
    }
    var step = {ArrowDown: 1, ArrowUp: -1}[event.key], inside = box.contains(document.activeElement);
    if (event.key === "Escape" && !box.hidden) {
        input.focus();
        close();
    }
    if (!step || box.hidden || (!inside && document.activeElement !== input)) return;
    var all = [input].concat(Array.from(hits.querySelectorAll("a, button"))),
        to = all[all.indexOf(document.activeElement) + step];
    if (to) to.focus();
    event.preventDefault();
});
document.addEventListener("pointerdown", function (event) {
    if (!box.contains(event.target) && !form.contains(event.target)) close();
});
hits.addEventListener("click", close);
})();
