// The workbench: joins original and form, talks to the server, keeps the claim alive, knows the keys.
"use strict";
const $ = (id) => document.getElementById(id);
const token = document.querySelector("#form [name=csrfmiddlewaretoken]").value;
let version = data.version;
let dirty = false;
let busy = false;
let timer = null;

original.build();
form.build();
original.look();

// -- highlighting, both ways --------------------------------------------------------------------------------------
const everything = () => Object.entries(data.evidence).filter(([path, evidence]) => !path.startsWith("meta.") && !path.includes("highlights[") && evidence.source !== "derived").map(([, evidence]) => evidence);
form.onFocus = (field) => original.mark(everything(), field.picker ? null : form.evidence(field) || (data.alternatives[field.path] || [])[0]);
original.onPick = (picked, add) => {
  const field = form.current || form.firstMissing();
  if (!field || !data.editable) { return; }
  if (field.picker) { field.picker(picked); } else { form.fill(field, picked, add); }
};
original.mark(everything(), null);

// -- talking to the server ----------------------------------------------------------------------------------------
async function post(verb, body = {}) {
  let answer;
  try {
    answer = await fetch(data.urls[verb], { method: "POST", credentials: "same-origin", headers: { "Content-Type": "application/json", "X-CSRFToken": token }, body: JSON.stringify({ version, ...body }) });
  } catch {
    toast(say("offline"));
    return null;
  }
  const said = await answer.json().catch(() => ({}));
  if (answer.ok) { return said; }
  if (said.code === "incomplete") { return said; }
  if (answer.status === 409) { lose(said.detail); } else { toast(said.detail || `HTTP ${answer.status}`); }
  return null;
}

// Somebody else has the case, or it was saved from another page: what was typed stays to be read, nothing is sent any more.
function lose(detail) {
  data.editable = false;
  dirty = false;
  clearTimeout(timer);
  $("lost").firstElementChild.textContent = detail;
  $("lost").hidden = false;
  for (const node of document.querySelectorAll("#form input, #form textarea")) { node.readOnly = true; }
  for (const node of document.querySelectorAll("#form button, .keys button:not(#help)")) { node.disabled = true; }
  $("until").closest("span.until")?.remove();
  $("lost").scrollIntoView({ block: "nearest" });
}

function toast(text) {
  $("toast").textContent = text;
  $("toast").hidden = false;
  clearTimeout(toast.timer);
  toast.timer = setTimeout(() => { $("toast").hidden = true; }, 8000);
}

async function saveDraft() {
  if (busy || !data.editable) { return; }
  busy = true;
  const said = await post("draft", { form: form.read() });
  busy = false;
  if (said) {
    version = said.version;
    dirty = false;
    $("saved").textContent = say("saved", { time: new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" }) });
  }
}

form.onChange = () => {
  dirty = true;
  $("saved").textContent = say("unsaved");
  clearTimeout(timer);
  timer = setTimeout(saveDraft, 4000);
};

async function act(verb, body) {
  if (busy || !data.editable) { return; }
  clearTimeout(timer);
  busy = true;
  let said = await post(verb, body);
  if (said && said.code === "incomplete") {
    $("anyway-text").textContent = said.detail;
    said = await ask("anyway-box") ? await post(verb, { ...body, confirmed: true }) : null;
  }
  busy = false;
  if (said && said.next) {
    dirty = false;
    location.href = said.next;
  }
}

// Opens a dialog and tells whether its answer is yes.
function ask(id) {
  const box = $(id);
  box.returnValue = "";
  box.showModal();
  return new Promise((answer) => { box.addEventListener("close", () => answer(box.returnValue === "yes"), { once: true }); });
}

const save = () => act("save", { form: form.read(), ...clock.read() });
const release = () => act("release");
const skip = () => act("next");
const rerun = async () => {
  if (await ask("rerun-box")) { act("rerun", { channel: new FormData($("rerun-box").querySelector("form")).get("channel") || "" }); }
};
const discard = async () => {
  if (!await ask("discard-box")) { return; }
  const said = new FormData($("discard-box").querySelector("form"));
  act("discard", { reason: said.get("reason"), note: said.get("note") });
};

// The letter as it stands in the dialog, also for the mail program.
const askSender = () => ask("ask-box");
const letter = () => `mailto:${encodeURIComponent($("ask-mail").dataset.to).replace("%40", "@")}?subject=${encodeURIComponent($("ask-subject").value)}&body=${encodeURIComponent($("ask-text").value)}`;
for (const id of ["ask-subject", "ask-text"]) { $(id).addEventListener("input", () => { $("ask-mail").href = letter(); }); }
$("ask-copy").addEventListener("click", async () => {
  $("ask-text").select();
  try { await navigator.clipboard.writeText($("ask-text").value); } catch { document.execCommand("copy"); }
  $("ask-copy").textContent = say("copied");
});

async function leaveNote() {
  const said = await post("note", { text: $("note-text").value });
  if (said) { $("note-text").value = ""; $("saved").textContent = say("noteSaved"); }
}
if ($("note-save")) {
  $("note-save").addEventListener("click", leaveNote);
  $("note-text").addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); leaveNote(); } });
}

const verbs = { save, draft: saveDraft, rerun, discard, release, skip, ask: askSender };
for (const [id, verb] of Object.entries(verbs)) { if ($(id)) { $(id).addEventListener("click", verb); } }
$("help").addEventListener("click", () => $("keys-box").showModal());

// The heartbeat: while the page is open the case stays ours; a page that comes back from sleep finds out at once.
async function renew() {
  if (!data.editable || busy) { return; }
  const said = await post("renew");
  if (said && said.until) { $("until").textContent = new Date(said.until).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" }); }
}
if (data.editable) {
  setInterval(renew, 2 * 60 * 1000);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) { renew(); } });
}
window.addEventListener("beforeunload", (event) => { if (dirty) { event.preventDefault(); } });

// -- views of the original ----------------------------------------------------------------------------------------
const views = { picture: $("original"), text: $("text"), history: $("history") };
for (const button of document.querySelectorAll("[data-view]")) {
  button.addEventListener("click", () => {
    for (const other of document.querySelectorAll("[data-view]")) { other.setAttribute("aria-pressed", String(other === button)); }
    for (const [name, node] of Object.entries(views)) { node.hidden = name !== button.dataset.view; }
  });
}
$("larger").addEventListener("click", () => { original.zoom = Math.min(4, original.zoom * 1.25); original.look(); });
$("smaller").addEventListener("click", () => { original.zoom = Math.max(0.4, original.zoom / 1.25); original.look(); });
$("fit").addEventListener("click", () => { original.zoom = 1; original.look(); });
$("rotate").addEventListener("click", () => { original.turns = (original.turns + 1) % 4; original.look(); });

// -- keys ---------------------------------------------------------------------------------------------------------
document.addEventListener("keydown", (event) => {
  if (document.querySelector("dialog[open]")) { return; }
  const typing = event.target.matches("input:not([type=checkbox]), textarea, select");
  const control = event.ctrlKey || event.metaKey;
  if (control && event.key === "Enter") { event.preventDefault(); save(); }
  else if (control && event.key.toLowerCase() === "s") { event.preventDefault(); saveDraft(); }
  else if (event.altKey && event.code === "KeyD") { event.preventDefault(); if (data.editable) { discard(); } }
  else if (event.altKey && event.code === "KeyN") { event.preventDefault(); skip(); }
  else if (event.altKey && event.code === "KeyA") { event.preventDefault(); askSender(); }
  else if (event.altKey && event.code === "KeyZ") { const undo = document.querySelector(".undo button"); if (undo) { event.preventDefault(); dirty = false; undo.click(); } }
  else if (event.altKey && event.code === "KeyR") { event.preventDefault(); if (data.editable) { rerun(); } }
  else if (event.altKey && /^Digit[1-9]$/.test(event.code) && form.current && form.current.chips) {
    const chip = form.current.chips.children[Number(event.code.slice(5)) - 1];
    if (chip) { event.preventDefault(); chip.click(); }
  }
  else if (event.key === "Escape" && data.editable) { event.preventDefault(); release(); }
  else if (event.key === "?" && !typing) { event.preventDefault(); $("keys-box").showModal(); }
});

if (data.editable) { const field = form.firstMissing(); if (field) { field.input.focus({ preventScroll: true }); } }
