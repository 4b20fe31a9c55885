// Drag and drop of many files: opens a batch, sends the files in portions, seals it and goes to its page.
"use strict";
const form = document.getElementById("upload");
const drop = document.getElementById("drop");
const chooser = document.getElementById("files");
const bar = document.getElementById("bar");
const status = document.getElementById("status");
const send = document.getElementById("send");
const token = form.querySelector("[name=csrfmiddlewaretoken]").value;
const PORTION_FILES = 20;
const PORTION_BYTES = 40 * 1024 * 1024;
let files = [];

const text = (name, values) => Object.entries(values).reduce((line, [key, value]) => line.replace(`{${key}}`, value), form.dataset[name]);

function show() {
  const bytes = files.reduce((sum, file) => sum + file.size, 0);
  document.getElementById("chosen").textContent = text("textChosen", { all: files.length, size: (bytes / 1048576).toFixed(1) });
  send.disabled = files.length === 0;
  const name = document.getElementById("name");
  if (!name.value && files.length) { name.value = new Date().toISOString().slice(0, 16).replace("T", " "); }
}

async function walk(entry) {
  if (entry.isFile) { return [await new Promise((done, failed) => entry.file(done, failed))]; }
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    const some = await new Promise((done, failed) => reader.readEntries(done, failed));
    if (!some.length) { break; }
    for (const inner of some) { found.push(...await walk(inner)); }
  }
  return found;
}

chooser.addEventListener("change", () => { files = [...files, ...chooser.files]; show(); });
for (const kind of ["dragenter", "dragover"]) {
  drop.addEventListener(kind, (event) => { event.preventDefault(); drop.classList.add("over"); });
}
drop.addEventListener("dragleave", () => drop.classList.remove("over"));
drop.addEventListener("drop", async (event) => {
  event.preventDefault();
  drop.classList.remove("over");
  const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry()).filter(Boolean);
  for (const entry of entries) { files.push(...await walk(entry)); }
  show();
});

function portions() {
  const found = [];
  let bytes = Infinity;
  for (const file of files) {
    if (bytes + file.size > PORTION_BYTES || found[found.length - 1].length >= PORTION_FILES) { found.push([]); bytes = 0; }
    found[found.length - 1].push(file);
    bytes += file.size;
  }
  return found;
}

function post(url, body, headers, progress) {
  return new Promise((done, failed) => {
    const request = new XMLHttpRequest();
    request.open("POST", url);
    request.setRequestHeader("X-CSRFToken", token);
    request.setRequestHeader("Accept", "application/json");
    for (const [name, value] of Object.entries(headers)) { request.setRequestHeader(name, value); }
    request.upload.addEventListener("progress", (event) => progress(event.loaded));
    request.addEventListener("error", () => failed(new Error(form.dataset.textOffline)));
    request.addEventListener("load", () => {
      let answer = {};
      try { answer = JSON.parse(request.responseText); } catch { /* not JSON: the status says enough */ }
      if (request.status < 300) { done(answer); } else { failed(new Error(answer.detail || `HTTP ${request.status}`)); }
    });
    request.send(body);
  });
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  send.disabled = true;
  bar.hidden = false;
  const total = files.reduce((sum, file) => sum + file.size, 0) || 1;
  let sentBytes = 0;
  let sentFiles = 0;
  try {
    const said = Object.fromEntries(["name", "source", "position", "on_duplicate"].map((id) => [id, document.getElementById(id).value]));
    const batch = await post(form.dataset.api, JSON.stringify(said), { "Content-Type": "application/json" }, () => {});
    for (const portion of portions()) {
      const body = new FormData();
      for (const file of portion) { body.append("files", file, file.name); }
      const before = sentBytes;
      await post(`${form.dataset.api}${batch.id}/resumes/`, body, {}, (loaded) => { bar.value = Math.min(1, (before + loaded) / total); });
      sentBytes += portion.reduce((sum, file) => sum + file.size, 0);
      sentFiles += portion.length;
      status.textContent = text("textSent", { done: sentFiles, all: files.length });
    }
    await post(`${form.dataset.api}${batch.id}/seal/`, "", {}, () => {});
    location.href = form.dataset.page.replace("00000000-0000-0000-0000-000000000000", batch.id);
  } catch (error) {
    status.textContent = text("textFailed", { why: error.message });
    send.disabled = false;
  }
});
