// The tests in Node (preset web) see the environment of the command: HEED_COUNTS, TMPDIR.
Module.preRun = function () { Object.assign(ENV, process.env); };
