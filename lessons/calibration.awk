# How the reader's predictions came out, for ./heed: how many came true beside how sure the reader
# was. Only the first answer to a question counts, for whoever runs a lesson again knows the second.
# Of n guesses made with confidences p, sum p come true when one is as sure as one is right, give or
# take sqrt(sum p (1 - p)). Two of these away, and with at least eight guesses, it is said so.
#
#     awk -F TAB -f lessons/calibration.awk .heed/predictions.tsv

# Lesson, question, guess, confidence in percent, truth, right (1 or 0), date.
$6 ~ /^[01]$/ && !(($1, $2) in seen) {
    seen[$1, $2] = 1
    made++
    right += $6
    sure += $4 / 100
    variance += $4 / 100 * (1 - $4 / 100)
}

END {
    if (!made) exit
    off = right - sure
    if (made >= 8 && off * off > 4 * variance)
        verdict = off < 0 ? ": too sure" : ": not sure enough"
    printf "\nYour predictions: %d made, %.0f %% right; you were %.0f %% sure%s\n", made,
        100 * right / made, 100 * sure / made, verdict
}
