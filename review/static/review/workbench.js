// The workbench: joins original and form, talks to the server, keeps the claim alive, knows the keys.
"use strict";
const $ = (id) => document.getElementById(id);
const RETRY_MS = 15000;
let version = data.version;
let edition = 0; // raised with every change
let kept = 0; // the edition the server has
let sending = null; // what is on its way, one at a time
let acting = false; // a decision is being made; the page ends with it
let timer = null;
const dirty = () => edition > kept;

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
// Whoever signs in again in another window gets another token, in the cookie.
const token = () => (document.cookie.match(/(?:^|; )csrftoken=([^;]+)/) || [])[1] || document.querySelector("#form [name=csrfmiddlewaretoken]").value;

async function post(verb, body = {}) {
  while (sending) { await sending; }
  sending = send(verb, body);
  try { return await sending; } finally { sending = null; }
}

async function send(verb, body) {
  let answer;
  let said = null;
  try {
    answer = await fetch(data.urls[verb], { method: "POST", credentials: "same-origin", headers: { "Content-Type": "application/json", "X-CSRFToken": token() }, body: JSON.stringify({ version, ...body }) });
    said = await answer.json();
  } catch {
    away(answer && answer.status < 500 ? `HTTP ${answer.status}` : say("offline"));
    return null;
  }
  if (answer.status === 401) { away(said.detail, true); return null; }
  $("away").hidden = true;
  if (said.version) { version = said.version; }
  if (answer.ok || said.code === "incomplete") { return said; }
  if (answer.status === 409) { lose(said.detail); return null; }
  toast(said.detail || `HTTP ${answer.status}`);
  point((said.fields || []).map((path) => form.named(path)).filter(Boolean));
  return null;
}

// Marks the fields the server cannot take and goes to the first of them.
function point(fields) {
  for (const field of fields) { field.input.setAttribute("aria-invalid", "true"); }
  if (fields.length) { fields[0].input.focus(); }
}

// The server cannot be reached, or does not know us any more: what was typed stays, and is sent as soon as that has changed.
function away(detail, signedOut = false) {
  $("away").firstElementChild.textContent = detail;
  $("away").querySelector("a").hidden = !signedOut;
  $("away").hidden = false;
  if (dirty()) { later(RETRY_MS); }
}

// Somebody else has the case, or it was saved from another page: what was typed stays to be read, nothing is sent any more.
function lose(detail) {
  data.editable = false;
  kept = edition;
  clearTimeout(timer);
  $("lost").firstElementChild.textContent = detail;
  $("lost").hidden = false;
  for (const node of document.querySelectorAll("#form input, #form textarea")) { node.readOnly = true; }
  for (const node of document.querySelectorAll("#form button, #form input[type=checkbox], .keys button:not(#help):not(#skip)")) { node.disabled = true; }
  $("yours")?.remove();
  $("saved").textContent = "";
  $("lost").scrollIntoView({ block: "nearest" });
}

function toast(text) {
  $("toast").textContent = text;
  $("toast").hidden = false;
  clearTimeout(toast.timer);
  toast.timer = setTimeout(() => { $("toast").hidden = true; }, 8000);
}

function later(ms) {
  clearTimeout(timer);
  timer = setTimeout(saveDraft, ms);
}

const clockTime = (moment) => moment.toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hour12: false });

// Keeps what was typed; tells whether the server has it.
async function saveDraft() {
  while (sending) { await sending; }
  if (!data.editable || acting) { return false; }
  clearTimeout(timer);
  const now = edition;
  const said = await post("draft", { form: form.read() });
  if (!said) { return false; }
  kept = now;
  if (dirty()) { later(4000); } else { $("saved").textContent = say("saved", { time: clockTime(new Date()) }); }
  return true;
}

form.onChange = () => {
  edition += 1;
  $("saved").textContent = say("unsaved");
  later(4000);
};
form.readDate = (text, end) => post("date", { text, end });

async function act(verb, body) {
  if (acting) { return; }
  acting = true;
  clearTimeout(timer);
  let said = await post(verb, body);
  if (said && said.code === "incomplete") {
    $("anyway-text").textContent = said.detail;
    said = await ask("anyway-box") ? await post(verb, { ...body, confirmed: true }) : null;
  }
  if (said && said.next) {
    kept = edition;
    location.href = said.next;
    return;
  }
  acting = false;
  if (data.editable && dirty()) { later(RETRY_MS); }
}

// Leaves the case to the others, with what was typed; a page that holds no case just goes.
async function leave(verb) {
  if (data.editable && dirty() && !(await saveDraft())) { return; }
  act(verb);
}

// Opens a dialog and tells whether its answer is yes.
function ask(id) {
  const box = $(id);
  box.returnValue = "";
  box.showModal();
  return new Promise((answer) => { box.addEventListener("close", () => answer(box.returnValue === "yes"), { once: true }); });
}

const save = async () => {
  if (!data.editable || acting) { return; }
  if (form.current && form.current.entry) { await form.settleDate(form.current); }
  act("save", { form: form.read(), ...clock.read() });
};
const release = () => { if (data.editable) { leave("release"); } };
const skip = () => leave("next");
const rerun = async () => {
  if (data.editable && await ask("rerun-box")) { act("rerun", { channel: new FormData($("rerun-box").querySelector("form")).get("channel") || "" }); }
};
const discard = async () => {
  if (!data.editable || !await ask("discard-box")) { return; }
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
  $("note-text").addEventListener("keydown", (event) => { if (event.key === "Enter" && !composing(event)) { event.preventDefault(); leaveNote(); } });
}

const verbs = { save, draft: saveDraft, rerun, discard, release, skip, ask: askSender };
for (const [id, verb] of Object.entries(verbs)) { if ($(id)) { $(id).addEventListener("click", verb); } }
$("help").addEventListener("click", () => $("keys-box").showModal());

// The heartbeat: while the page is open the case stays ours; a page that comes back from sleep finds out at once.
async function renew() {
  if (!data.editable || acting) { return; }
  const said = await post("renew");
  if (said && said.until) { $("until").textContent = clockTime(new Date(said.until)); }
  if (said && dirty()) { saveDraft(); }
}
if (data.editable) {
  setInterval(renew, 2 * 60 * 1000);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) { renew(); } });
  window.addEventListener("focus", () => { if (!$("away").hidden) { renew(); } });
  window.addEventListener("online", renew);
}
window.addEventListener("beforeunload", (event) => { if (dirty()) { event.preventDefault(); } });
window.addEventListener("pageshow", (event) => { if (event.persisted) { location.reload(); } }); // from the browser's own store: the case has moved on

// What was typed into this case is kept before the discard of another is taken back.
document.querySelector(".undo")?.addEventListener("submit", async (event) => {
  if (!dirty()) { return; }
  event.preventDefault();
  if (await saveDraft()) { event.target.submit(); }
});

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
  if (composing(event)) { return; }
  if (document.querySelector("dialog[open]")) { return; }
  const typing = event.target.matches("input:not([type=checkbox]), textarea, select");
  const control = event.ctrlKey || event.metaKey;
  if (control && event.key === "Enter") { event.preventDefault(); save(); }
  else if (control && event.key.toLowerCase() === "s") { event.preventDefault(); saveDraft(); }
  else if (event.altKey && event.code === "KeyD") { event.preventDefault(); discard(); }
  else if (event.altKey && event.code === "KeyN") { event.preventDefault(); skip(); }
  else if (event.altKey && event.code === "KeyA") { event.preventDefault(); askSender(); }
  else if (event.altKey && event.code === "KeyZ") { const undo = document.querySelector(".undo button"); if (undo) { event.preventDefault(); undo.click(); } }
  else if (event.altKey && event.code === "KeyR") { event.preventDefault(); rerun(); }
  else if (event.altKey && /^Digit[1-9]$/.test(event.code) && form.current && form.current.chips) {
    const chip = form.current.chips.children[Number(event.code.slice(5)) - 1];
    if (chip) { event.preventDefault(); chip.click(); }
  }
  else if (event.key === "Escape" && data.editable) { event.preventDefault(); release(); }
  else if (event.key === "?" && !typing) { event.preventDefault(); $("keys-box").showModal(); }
});

if (data.editable) { const field = form.firstMissing(); if (field) { field.input.focus({ preventScroll: true }); } }
