// What emscripten made of heed, as the code of a worker. Pages make the worker from this text, because
// a page that was opened from a folder may not read files.
function heed_worker() {
