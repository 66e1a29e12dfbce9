# The list of lessons for ./heed, one per line: a tick if it is done, its title, the time it takes, and
# how many of its exercises are solved. A lesson is done when all claims of a full run held. The time is that of the reader's last
# run in which all claims held (a full run counts before a quick one), or that of lessons/times if
# there is no such run. Damaged lines of the records are ignored.
#
#     awk -F TAB -v width=80 -v records=.heed -f lessons/contents.awk lessons/*/lesson.cpp

function time(s) {
    if (s < 60) return s < 1 ? "under 1 s" : s " s"
    return int(s / 60) " min" (s % 60 ? " " (s % 60) " s" : "")
}

function about(s) {
    return "about " (s < 90 ? s " s" : int(s / 60 + 0.5) " min")
}

function name_of(path) {
    match(path, /[0-9][0-9]_[^\/]*\/lesson\.cpp$/)
    return substr(path, RSTART + 3, RLENGTH - 14)
}

function number_of(path) {
    match(path, /[0-9][0-9]_[^\/]*\/lesson\.cpp$/)
    return substr(path, RSTART, 2) + 0
}

BEGIN {
    times = number_of(ARGV[1]) ? ARGV[1] : ""
    sub(/[^\/]*\/lesson\.cpp$/, "times", times)
    FS = " "
    while ((getline <times) > 0)
        if ($2 ~ /^[0-9]+$/) takes[substr($1, 4)] = about($2)

    # Lesson, name, date, seconds, claims that held, claims, quick or full. The name counts, because
    # lessons may get other numbers.
    FS = "\t"
    progress = records "/progress.tsv"
    while ((getline <progress) > 0) {
        sound = NF == 7 && $1 ~ /^[0-9]+$/ && $4 ~ /^[0-9]+(\.[0-9]+)?$/ && length($4) < 10 && \
            $5 ~ /^[0-9]+$/ && $6 ~ /^[0-9]+$/ && $7 ~ /^(full|quick)$/
        if (!sound || $6 == 0 || $5 != $6) continue
        if ($7 == "full") done[$2] = 1
        if ($7 == "full" || !($2 in done)) {
            takes[$2] = time(int($4 + 0.5)) ($7 == "full" ? "" : " in quick mode")
        }
    }

    # ID, name, date, event. An exercise is counted once, however often it is solved.
    solutions = records "/exercises.tsv"
    while ((getline <solutions) > 0)
        if (NF == 4 && $4 == "solved" && !(($1, $2) in counted)) {
            counted[$1, $2] = 1
            solved[int($1)]++
        }

    for (i = 1; i < ARGC; i++) {
        getline title[i] <ARGV[i]
        close(ARGV[i])
        sub(/^\/\/! # /, "", title[i])
        if (length(title[i]) > longest) longest = length(title[i])
    }
    for (i = 1; i < ARGC; i++) {
        n = name_of(ARGV[i])
        if (number_of(ARGV[i]) in solved)
            takes[n] = takes[n] ", " solved[number_of(ARGV[i])] " written"
        line = sprintf("  %s %02d  %s", n in done ? "✓" : " ", number_of(ARGV[i]), title[i])
        if (longest + 35 <= width) {
            printf "%s%" (longest - length(title[i]) + 3) "s%s\n", line, "", takes[n]
        } else {
            fits = length(title[i]) + length(takes[n]) + 11 <= width
            printf "%s%s(%s)\n", line, fits ? " " : "\n        ", takes[n]
        }
    }
}
