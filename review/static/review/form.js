// How long each field and the whole page were worked on: only while the page is in view and something happens.
"use strict";
const clock = {
  spent: new Map(), // seconds by field
  seconds: 0,
  field: null,
  last: performance.now(),
  idle: 60000,

  tick() {
    const now = performance.now();
    const passed = document.hidden ? 0 : Math.min(now - this.last, this.idle) / 1000;
    this.last = now;
    this.seconds += passed;
    if (this.field) { this.spent.set(this.field, (this.spent.get(this.field) || 0) + passed); }
  },
  enter(field) { this.tick(); this.field = field; },
  leave() { this.tick(); this.field = null; },
  read() {
    this.tick();
    const rounded = [...this.spent].map(([field, seconds]) => [form.pathOf(field), Math.round(seconds * 10) / 10]).filter(([path]) => path);
    return { seconds: Math.round(this.seconds * 10) / 10, spent: Object.fromEntries(rounded) };
  },
};
document.addEventListener("visibilitychange", () => clock.tick());

// The form: every field with its source, its confidence and its runners-up; entries that can be added, moved, removed.
const BASICS = [["name", "basics.name"], ["phone", "basics.phone"], ["email", "basics.email"], ["city", "basics.location.city"], ["label", "basics.label"], ["url", "basics.url"], ["summary", "basics.summary"]];
const ENTRIES = {
  work: [["position", "position"], ["name", "employer"], ["startDate", "startDate"], ["endDate", "endDate"], ["location", "place"], ["summary", "summary"], ["highlights", "highlights"]],
  education: [["institution", "institution"], ["studyType", "studyType"], ["area", "area"], ["startDate", "startDate"], ["endDate", "endDate"], ["score", "score"]],
  projects: [["name", "title"], ["url", "url"], ["startDate", "startDate"], ["endDate", "endDate"], ["description", "summary"], ["highlights", "highlights"]],
  certificates: [["name", "title"], ["issuer", "issuer"], ["date", "date"]],
  awards: [["title", "title"], ["awarder", "issuer"], ["date", "date"]],
  publications: [["name", "title"], ["publisher", "publisher"], ["releaseDate", "date"]],
  "basics.profiles": [["network", "network"], ["url", "url"]],
};
const LISTS = { skills: "name", languages: "language" };
const ALWAYS = new Set(["work", "education"]); // what is shown empty, too
const LONG = new Set(["summary", "description", "highlights"]);
const RARE = new Set(["location", "summary", "highlights"]); // of an entry: shown where there is something
const DATES = new Set(["startDate", "endDate", "date", "releaseDate"]);
const PLAIN_DATE = /^\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?$/;

const SEPARATORS = /[,;，；、\n]+(?![^(（]*[)）])/; // between names typed or taken together: "Python, SQL"
const flaggedIn = (part) => data.flagged.some((path) => path === part || path.startsWith(`${part}[`));
const composing = (event) => event.isComposing || event.keyCode === 229; // keys that belong to an input method, as for Chinese

const at = (document_, path) => path.replace(/\[(\d+)\]/g, ".$1").split(".").reduce((value, key) => (value === undefined || value === null ? undefined : value[key]), document_);

const form = {
  fields: [], // {key, path, input, before, source (where a person took the value from), row}
  sections: Object.fromEntries(Object.keys(ENTRIES).map((section) => [section, []])), // entries: {origin, fields, current, node}
  names: { skills: [], languages: [] }, // {text, origin, source}
  current: null,
  onChange: () => {},
  onFocus: () => {},
  readDate: () => null, // asks the server what date a text is

  build() {
    const draft = data.draft || {};
    const basics = document.getElementById("basics");
    const rows = BASICS.map(([key, path]) => {
      const given = draft.basics && key in draft.basics ? draft.basics[key] : at(data.profile, path);
      return this.row(key, path, say(key), given || "");
    });
    const missing = (field) => {
      if (field.masked) { return 2; }
      if (data.flagged.includes(field.path) || (data.core.includes(field.key) && !field.input.value)) { return 0; }
      return data.core.includes(field.key) ? 1 : 2;
    };
    const ordered = rows.map((field, index) => ({ field, index })).sort((one, two) => missing(one.field) - missing(two.field) || one.index - two.index);
    ordered.forEach(({ field }) => basics.append(field.row));
    const empty = (name) => flaggedIn(name) || (data.core.includes(name) && !(draft[name] || data.profile[name] || []).length);
    const all = [...ALWAYS, ...Object.keys(LISTS), ...Object.keys(ENTRIES).filter((part) => !ALWAYS.has(part))];
    const parts = all.sort((one, two) => empty(two) - empty(one));
    for (const part of parts) { if (part in ENTRIES) { this.section(part, draft[part]); } else { this.list(part, draft[part]); } }
    if (data.editable && this.also.children.length) { document.getElementById("sections").append(this.also); }
    const taken = draft.sources || {};
    for (const field of this.fields) { field.source = taken[this.pathOf(field)]; if (field.proof) { this.prove(field); } }
    for (const list of Object.keys(LISTS)) { this.names[list].forEach((name, index) => { name.source = taken[`${list}[${index}].${LISTS[list]}`]; }); }
    this.measure();
  },

  also: make("p", { className: "also" }), // buttons for the parts of which there is nothing yet
  badges: {}, // of the headings: shown while the part is missing

  input(key, value, label, masked = false) {
    const input = LONG.has(key) ? make("textarea", { rows: Math.min(Math.max(2, value.split("\n").length), 6) }) : make("input", { type: "text" });
    input.value = value;
    input.setAttribute("aria-label", label);
    input.spellcheck = false;
    if (DATES.has(key)) { input.placeholder = say("dateHint"); }
    if (masked) { input.placeholder = say("masked"); }
    input.disabled = !data.editable || masked;
    return input;
  },

  row(key, path, label, value) {
    const field = this.field(key, path, label, value);
    const core = data.core.includes(key);
    const id = `field-${key}`;
    field.input.id = id;
    if (core && !field.masked && data.editable && original.words.length) { field.input.placeholder = say("click"); }
    const badge = make("div", { className: "proof" });
    field.proof = badge;
    field.row = make("div", { className: "field" }, [
      make("label", { htmlFor: id, textContent: core ? `${label} *` : label }),
      make("div", { className: "value" }, [field.input, this.runnersUp(field)]),
      badge,
    ]);
    this.prove(field);
    return field;
  },

  field(key, path, label, value) {
    const masked = data.masked.some((hidden) => hidden === path || hidden.startsWith(`${path}[`));
    const before = at(data.profile, path) || "";
    const field = { key, path, masked, input: this.input(key, value, label, masked), before: Array.isArray(before) ? before.join("\n") : before };
    field.input.addEventListener("focus", () => { this.current = field; clock.enter(field); this.onFocus(field); });
    field.input.addEventListener("blur", () => { clock.leave(); this.settleDate(field); });
    field.input.addEventListener("input", () => { field.source = undefined; this.changed(field); });
    this.fields.push(field);
    return field;
  },

  changed(field) {
    field.input.removeAttribute("aria-invalid");
    if (field.proof) { this.prove(field); }
    this.measure();
    this.onChange();
  },

  // Where the value on the page comes from: what automation says while it is unchanged, else the person.
  evidence(field) {
    if (field.input.value.trim() === String(field.before).trim() && field.input.value) { return data.evidence[field.path] || data.evidence[`${field.path}[0]`] || null; }
    return field.source || (field.input.value ? { source: "person" } : null);
  },

  // The path of a field in what is saved; empty where its entry is not saved, since nothing stands in it.
  pathOf(field) {
    if (!field.entry) { return field.path; }
    const index = this.filled(field.section).indexOf(field.entry);
    return index < 0 ? "" : `${field.section}[${index}].${field.key}`;
  },

  filled(section) {
    return this.sections[section].filter((entry) => entry.fields.some((field) => field.masked || field.input.value.trim()));
  },

  // The field a path of the server's answer names: "work.0.startDate".
  named(path) {
    const [, section, index, key] = path.match(/^(.+?)\.(\d+)\.(.+)$/) || [];
    const entry = section in ENTRIES ? this.filled(section)[Number(index)] : null;
    return entry ? entry.fields.find((field) => field.key === key) : undefined;
  },

  // Writes a date as the document has it, however it was typed or taken from the page; marks what is none.
  async settleDate(field) {
    const text = field.input.value.trim();
    if (!DATES.has(field.key) || !text || PLAIN_DATE.test(text) || !data.editable) { return; }
    const said = await this.readDate(text, field.key === "endDate");
    if (!said || field.input.value.trim() !== text) { return; }
    if (said.date) {
      field.input.value = said.date;
      this.onChange();
    } else if (said.current && field.key === "endDate" && field.entry.current) {
      field.entry.current.checked = true;
      field.entry.current.dispatchEvent(new Event("change"));
    } else {
      field.input.setAttribute("aria-invalid", "true");
    }
  },

  prove(field) {
    const evidence = this.evidence(field);
    const core = data.core.includes(field.key);
    field.proof.replaceChildren();
    field.row.classList.toggle("missing", core && !field.input.value.trim());
    const untouched = field.input.value.trim() === String(field.before).trim();
    if (data.flagged.includes(field.path) && untouched) {
      field.row.classList.add("doubtful");
      field.proof.append(make("span", { className: "badge flag", textContent: say("flagged") }));
      if (evidence) { return; }
    }
    if (field.masked) { field.row.classList.remove("missing"); return; }
    if (!evidence) {
      if (core) { field.proof.append(make("span", { className: "badge bad", textContent: say("missing") })); }
      return;
    }
    const source = evidence.source || "person";
    field.proof.append(make("span", { className: `badge source ${source}`, textContent: say(source) }));
    if (evidence.confidence !== undefined) {
      field.row.classList.toggle("doubtful", source !== "person" && evidence.confidence < 0.6);
      field.proof.append(make("meter", { min: 0, max: 1, low: 0.6, high: 0.85, optimum: 1, value: evidence.confidence }), make("span", { className: "figure", textContent: evidence.confidence.toFixed(2) }));
    }
  },

  runnersUp(field) {
    const found = (data.alternatives[field.path] || []).filter((other) => other.value && other.value !== field.before);
    const box = make("div", { className: "runners" });
    found.slice(0, 9).forEach((other) => {
      const chip = make("button", { type: "button", className: "chip", textContent: other.value, title: `${(other.confidence || 0).toFixed(2)} ${other.quote || ""}`, disabled: !data.editable });
      chip.addEventListener("click", () => this.fill(field, { text: other.value, page: other.page, bbox: other.bbox, quote: other.quote }));
      chip.addEventListener("pointerenter", () => original.mark([], other));
      chip.addEventListener("pointerleave", () => this.onFocus(this.current || field));
      box.append(chip);
    });
    field.chips = box;
    return box;
  },

  fill(field, picked, add = false) {
    if (!data.editable || field.input.disabled) { return; }
    field.input.value = add && field.input.value ? `${field.input.value}${field.key === "highlights" ? "\n" : " "}${picked.text}` : picked.text;
    field.input.focus();
    this.changed(field);
    field.source = { page: picked.page, bbox: picked.bbox, quote: picked.quote };
    if (field.proof) { this.prove(field); }
    this.onFocus(field);
    this.settleDate(field);
  },

  heading(part, tool = "") {
    const badge = make("span", { className: "badge bad", textContent: say("missing"), hidden: true });
    if (data.core.includes(part)) { this.badges[part] = badge; }
    const flagged = flaggedIn(part) ? make("span", { className: "badge flag", textContent: say("flagged") }) : "";
    return make("div", { className: "heading" }, [make("h3", {}, [say(part), " ", badge, flagged]), tool]);
  },

  section(section, given) {
    const entries = make("div", { className: "entries" });
    const add = make("button", { type: "button", className: "link", textContent: `+ ${say("add")}`, disabled: !data.editable });
    add.addEventListener("click", () => { const entry = this.entry(section, null, {}, entries); entry.fields[0].input.focus(); this.measure(); this.onChange(); });
    const part = make("div", {}, [this.heading(section, add), entries]);
    document.getElementById("sections").append(part);
    const found = at(data.profile, section) || [];
    const current = (at(data.profile, "meta.gleaner.work") || []).map((flag) => flag.current);
    const wanted = given || found.map((values, origin) => ({ ...values, origin, current: section === "work" ? current[origin] : undefined }));
    wanted.forEach((values) => this.entry(section, Number.isInteger(values.origin) ? values.origin : null, values, entries));
    part.hidden = !ALWAYS.has(section) && !wanted.length && !flaggedIn(section);
    if (part.hidden) {
      const first = make("button", { type: "button", className: "link", textContent: `+ ${say(section)}` });
      first.addEventListener("click", () => { part.hidden = false; first.remove(); add.click(); });
      this.also.append(first);
    }
  },

  entry(section, origin, values, root) {
    const entry = { origin, fields: [], current: null, node: make("fieldset", { className: "entry" }) };
    this.sections[section].push(entry);
    this.number(section);
    const grid = make("div", { className: "grid" });
    ENTRIES[section].forEach(([key, label]) => {
      const path = origin === null ? `new.${key}` : `${section}[${origin}].${key}`;
      const value = values[key] ?? (origin === null ? "" : at(data.profile, path)) ?? "";
      if (RARE.has(key) && !value.length && !(origin !== null && at(data.profile, path))) { return; }
      const field = this.field(key, path, say(label), Array.isArray(value) ? value.join("\n") : value);
      field.section = section;
      field.entry = entry;
      entry.fields.push(field);
      const flagged = data.flagged.includes(path);
      const cell = make("label", { className: `cell ${key}${flagged ? " doubtful" : ""}` }, [make("span", { textContent: say(label) }), field.input]);
      if (flagged) { cell.firstChild.append(make("span", { className: "badge flag", textContent: say("flagged") })); }
      const evidence = data.evidence[field.path] || data.evidence[`${field.path}[0]`];
      if (evidence && evidence.confidence !== undefined && field.input.value) {
        cell.firstChild.append(make("meter", { min: 0, max: 1, low: 0.6, high: 0.85, optimum: 1, value: evidence.confidence, title: `${say(evidence.source)} ${evidence.confidence.toFixed(2)}` }));
      }
      grid.append(cell);
    });
    if (section === "work") {
      const box = make("input", { type: "checkbox", checked: values.current === true, disabled: !data.editable });
      entry.current = box;
      entry.stated = typeof values.current === "boolean"; // else the page does not say, and an empty box says nothing either
      const end = entry.fields.find((field) => field.key === "endDate");
      const follow = () => { end.input.disabled = box.checked || !data.editable; if (box.checked) { end.input.value = ""; end.input.removeAttribute("aria-invalid"); } };
      box.addEventListener("change", () => { follow(); this.onChange(); });
      follow();
      grid.append(make("label", { className: "cell current" }, [box, make("span", { textContent: say("current") })]));
    }
    const tools = make("div", { className: "moves" });
    const tool = (text, label, act) => {
      const button = make("button", { type: "button", className: "link", textContent: text, title: label, disabled: !data.editable });
      button.setAttribute("aria-label", label);
      button.addEventListener("click", () => { act(); if (entry.node.isConnected && !entry.node.contains(document.activeElement)) { button.focus(); } });
      tools.append(button);
    };
    tool("↑", say("up"), () => this.move(section, entry, -1));
    tool("↓", say("down"), () => this.move(section, entry, 1));
    if (ALWAYS.has(section)) { tool("÷", say("split"), () => this.split(section, entry, root)); }
    tool("×", say("remove"), () => this.remove(section, entry));
    entry.node.addEventListener("keydown", (event) => {
      if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown") || !data.editable) { return; }
      event.preventDefault();
      this.move(section, entry, event.key === "ArrowUp" ? -1 : 1);
      if (this.current && this.current.entry === entry) { this.current.input.focus(); }
    });
    entry.node.append(grid, tools);
    root.append(entry.node);
    return entry;
  },

  number(section) {
    this.sections[section].forEach((entry, index) => entry.node.setAttribute("aria-label", `${say(section)} ${index + 1}`));
  },

  reordered(section) {
    this.number(section);
    this.measure();
    this.onChange();
  },

  move(section, entry, step) {
    const all = this.sections[section];
    const from = all.indexOf(entry);
    const to = from + step;
    if (to < 0 || to >= all.length) { return; }
    all.splice(from, 1);
    all.splice(to, 0, entry);
    if (step < 0) { all[to + 1].node.before(entry.node); } else { all[to - 1].node.after(entry.node); }
    this.reordered(section);
  },

  // Takes an entry away; a line in its place puts it back.
  remove(section, entry) {
    const all = this.sections[section];
    const index = all.indexOf(entry);
    const back = make("button", { type: "button", className: "link", textContent: say("putBack") });
    const gone = make("p", { className: "gone" }, [say("removed", { entry: entry.node.getAttribute("aria-label") }), " ", back]);
    back.addEventListener("click", () => {
      if (!data.editable) { return; }
      all.splice(Math.min(index, all.length), 0, entry);
      this.fields.push(...entry.fields);
      gone.replaceWith(entry.node);
      this.reordered(section);
      entry.fields[0].input.focus();
    });
    all.splice(index, 1);
    this.fields = this.fields.filter((field) => field.entry !== entry);
    if (this.current && this.current.entry === entry) { this.current = null; }
    entry.node.replaceWith(gone);
    this.reordered(section);
    back.focus();
  },

  // Two stations that were read as one: the second takes the employer or school along, and of a text in which the cursor
  // stands what follows it.
  split(section, entry, root) {
    const copied = { [ENTRIES[section][section === "work" ? 1 : 0][0]]: entry.fields.find((field) => field.key === ENTRIES[section][section === "work" ? 1 : 0][0]).input.value };
    const text = entry.fields.find((field) => LONG.has(field.key));
    if (text && text.input.selectionStart > 0 && text.input.selectionStart < text.input.value.length) {
      const at = text.input.selectionStart;
      copied[text.key] = text.input.value.slice(at).trim();
      text.input.value = text.input.value.slice(0, at).trim();
    }
    const made = this.entry(section, null, copied, root);
    const all = this.sections[section];
    all.splice(all.indexOf(made), 1);
    all.splice(all.indexOf(entry) + 1, 0, made);
    entry.node.after(made.node);
    this.reordered(section);
    made.fields.find((field) => !field.input.value).input.focus();
  },

  list(list, given) {
    const root = document.getElementById("sections");
    const chips = make("div", { className: "chips" });
    const found = given || (data.profile[list] || []).map((entry, origin) => (entry[LISTS[list]] ? entry[LISTS[list]] : { origin }));
    const input = make("input", { type: "text", placeholder: say("addSkill"), disabled: !data.editable });
    input.setAttribute("aria-label", `${say(list)}: ${say("add")}`);
    const add = (given_, source) => { // a name, or where a covered one stands
      const text = typeof given_ === "string" ? given_.trim() : "▮▮▮";
      if (!text || (typeof given_ === "string" && this.names[list].some((name) => name.text === text))) { return; }
      const name = { text, origin: given_.origin, source };
      this.names[list].push(name);
      const index = (data.profile[list] || []).findIndex((entry) => entry[LISTS[list]] === text);
      const evidence = index >= 0 ? data.evidence[`${list}[${index}].${LISTS[list]}`] : null;
      const remove = make("button", { type: "button", textContent: "×", disabled: !data.editable });
      remove.setAttribute("aria-label", `${say("remove")}: ${text}`);
      const chip = make("span", { className: "chip" }, [text, remove]);
      chip.addEventListener("pointerenter", () => { if (evidence) { original.mark([], evidence); } });
      remove.addEventListener("click", () => { this.names[list].splice(this.names[list].indexOf(name), 1); chip.remove(); input.focus(); this.measure(); this.onChange(); });
      chips.insertBefore(chip, input.parentNode === chips ? input : null);
      this.measure();
    };
    const addAll = (text, source) => text.split(SEPARATORS).forEach((name) => add(name, source));
    const field = { key: list, path: list, input, before: "", picker: (picked) => { addAll(picked.text, { page: picked.page, bbox: picked.bbox, quote: picked.quote }); this.onChange(); } };
    input.addEventListener("focus", () => { this.current = field; this.onFocus(field); });
    input.addEventListener("keydown", (event) => {
      if (composing(event)) { return; }
      if ((event.key === "Enter" && !event.ctrlKey) || event.key === ",") { event.preventDefault(); addAll(input.value); input.value = ""; this.onChange(); }
    });
    input.addEventListener("blur", () => { if (input.value.trim()) { addAll(input.value); input.value = ""; this.onChange(); } });
    if (data.editable) { chips.append(input); }
    root.append(this.heading(list), chips);
    found.forEach((name) => add(name));
  },

  measure() {
    const has = (key) => this.fields.some((field) => field.key === key && !field.entry && (field.masked || field.input.value.trim()));
    const filled = (section) => this.filled(section).length > 0;
    const met = [has("name"), has("phone"), has("email"), filled("work"), filled("education"), this.names.skills.length > 0].filter(Boolean).length;
    for (const [part, badge] of Object.entries(this.badges)) { badge.hidden = part in ENTRIES ? filled(part) : this.names[part].length > 0; }
    document.getElementById("meter").value = met;
    document.getElementById("score").textContent = `${met} / 6`;
  },

  read() {
    const basics = Object.fromEntries(this.fields.filter((field) => !field.entry && !field.masked && BASICS.some(([key]) => key === field.key)).map((field) => [field.key, field.input.value]));
    const entries = (section) => this.filled(section).map((entry) => ({
      origin: entry.origin,
      ...Object.fromEntries(entry.fields.filter((field) => !field.masked).map((field) => [field.key, field.input.value])),
      ...(entry.current ? { current: entry.current.checked || (entry.stated ? false : null) } : {}),
    }));
    const names = (list) => this.names[list].map(({ text, origin }) => (origin === undefined ? text : { origin }));
    // A path under basics is the same before and after; the server knows the city by the document's own path.
    const sources = [
      ...this.fields.map((field) => [this.pathOf(field), field.source]),
      ...Object.entries(LISTS).flatMap(([list, key]) => this.names[list].map((name, index) => [`${list}[${index}].${key}`, name.source])),
    ].filter(([path, source]) => path && source);
    return {
      basics,
      ...Object.fromEntries(Object.keys(ENTRIES).map((section) => [section, entries(section)])),
      ...Object.fromEntries(Object.keys(LISTS).map((list) => [list, names(list)])),
      sources: Object.fromEntries(sources),
    };
  },

  firstMissing() {
    const first = document.querySelector(".field.missing, .field.doubtful, .cell.doubtful");
    if (first) { return this.fields.find((field) => first.contains(field.input)); }
    const part = Object.keys(this.badges).find((name) => !this.badges[name].hidden);
    if (part) { return { input: part in ENTRIES ? this.badges[part].closest(".heading").querySelector("button") : this.badges[part].closest(".heading").nextElementSibling.querySelector("input") }; }
    return this.fields.find((field) => field.row && !field.masked);
  },
};
