# The reader's predictions, for ./heed: the share that was right, and how sure the reader was. Only
# the first answer to a question counts, because on a second run the reader knows the result. If
# guesses with confidences p are well calibrated, sum p of them are right, with a standard deviation
# of sqrt(sum p (1 - p)). From eight guesses on, a deviation of more than two of these is reported.
# Damaged lines are ignored.
#
#     awk -F TAB -f lessons/calibration.awk .heed/predictions.tsv

# Lesson, question, guess, confidence in percent, truth, right (1 or 0), date.
$6 ~ /^[01]$/ && $4 ~ /^[0-9]+(\.[0-9]+)?$/ && $4 <= 100 && !(($1, $2) in seen) {
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
