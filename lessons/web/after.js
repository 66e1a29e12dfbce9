var asked = [];
function answer(message) {
    if (message.file) FS.writeFile(message.file.name, message.file.bytes);
    self.postMessage({
        id: message.id,
        answer: Module.ccall("heed_answer", "string", ["string"], [message.request])
    });
}
self.onmessage = function (event) { asked.push(event.data); };
Module.onRuntimeInitialized = function () {
    self.onmessage = function (event) { answer(event.data); };
    asked.forEach(answer);
};
}
