// How long each field and the whole page were worked on: only while the page is in view and something happens.
"use strict";
const clock = {
  spent: {},
  seconds: 0,
  path: null,
  last: performance.now(),
  idle: 60000,

  tick() {
    const now = performance.now();
    const passed = document.hidden ? 0 : Math.min(now - this.last, this.idle) / 1000;
    this.last = now;
    this.seconds += passed;
    if (this.path) { this.spent[this.path] = (this.spent[this.path] || 0) + passed; }
  },
  enter(path) { this.tick(); this.path = path; },
  leave() { this.tick(); this.path = null; },
  read() {
    this.tick();
    const rounded = Object.entries(this.spent).map(([path, seconds]) => [path, Math.round(seconds * 10) / 10]);
    return { seconds: Math.round(this.seconds * 10) / 10, spent: Object.fromEntries(rounded) };
  },
};
document.addEventListener("visibilitychange", () => clock.tick());

// The form: every field with its source, its confidence and its runners-up; entries that can be added, moved, removed.
const BASICS = [["name", "basics.name"], ["phone", "basics.phone"], ["email", "basics.email"], ["city", "basics.location.city"], ["label", "basics.label"], ["url", "basics.url"], ["summary", "basics.summary"]];
const ENTRIES = {
  work: [["position", "position"], ["name", "employer"], ["startDate", "startDate"], ["endDate", "endDate"], ["summary", "summary"]],
  education: [["institution", "institution"], ["studyType", "studyType"], ["area", "area"], ["startDate", "startDate"], ["endDate", "endDate"], ["score", "score"]],
};
const LISTS = { skills: "name", languages: "language" };
const LONG = new Set(["summary"]);

const at = (document_, path) => path.replace(/\[(\d+)\]/g, ".$1").split(".").reduce((value, key) => (value === undefined || value === null ? undefined : value[key]), document_);

const form = {
  fields: [], // {key, path, input, before, source, row}
  sections: { work: [], education: [] }, // entries: {origin, fields, current, node}
  names: { skills: [], languages: [] },
  current: null,
  onChange: () => {},
  onFocus: () => {},

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
    const empty = (name) => data.flagged.includes(name) || (data.core.includes(name) && !(draft[name] || data.profile[name] || []).length);
    const parts = [...Object.keys(ENTRIES), ...Object.keys(LISTS)].sort((one, two) => empty(two) - empty(one));
    for (const part of parts) { if (part in ENTRIES) { this.section(part, draft[part]); } else { this.list(part, draft[part]); } }
    Object.assign(this.sources, draft.sources || {});
    this.measure();
  },

  sources: {},
  badges: {}, // of the headings: shown while the part is missing

  input(key, value, label, masked = false) {
    const input = LONG.has(key) ? make("textarea", { rows: 2 }) : make("input", { type: "text" });
    input.value = value;
    input.setAttribute("aria-label", label);
    input.spellcheck = false;
    if (key === "startDate" || key === "endDate") { input.placeholder = say("dateHint"); }
    if (masked) { input.placeholder = say("masked"); }
    input.disabled = !data.editable || masked;
    return input;
  },

  row(key, path, label, value) {
    const field = this.field(key, path, label, value);
    const core = data.core.includes(key);
    const id = `field-${key}`;
    field.input.id = id;
    if (core && !field.masked) { field.input.placeholder = say("click"); }
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
    const masked = data.masked.includes(path);
    const field = { key, path, masked, input: this.input(key, value, label, masked), before: at(data.profile, path) || "" };
    field.input.addEventListener("focus", () => { this.current = field; clock.enter(this.pathOf(field)); this.onFocus(field); });
    field.input.addEventListener("blur", () => clock.leave());
    field.input.addEventListener("input", () => { delete this.sources[this.pathOf(field)]; this.changed(field); });
    this.fields.push(field);
    return field;
  },

  changed(field) {
    if (field.proof) { this.prove(field); }
    this.measure();
    this.onChange();
  },

  // Where the value on the page comes from: what automation says while it is unchanged, else the person.
  evidence(field) {
    const own = this.sources[this.pathOf(field)];
    if (field.input.value.trim() === String(field.before).trim() && field.input.value) { return data.evidence[field.path] || null; }
    return own || (field.input.value ? { source: "person" } : null);
  },

  pathOf(field) {
    if (!field.entry) { return field.path; }
    const index = this.sections[field.section].indexOf(field.entry);
    return `${field.section}[${index}].${field.key}`;
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
    if (!data.editable) { return; }
    const text = field.key === "startDate" || field.key === "endDate" ? this.asDate(picked.text) : picked.text;
    field.input.value = add && field.input.value ? `${field.input.value} ${text}` : text;
    this.sources[this.pathOf(field)] = { page: picked.page, bbox: picked.bbox, quote: picked.quote };
    field.input.focus();
    this.changed(field);
    this.onFocus(field);
  },

  // "2019.03", "03/2019", "2019年3月" → "2019-03"; anything else stays as it is for the person to mend.
  asDate(text) {
    const year = text.match(/(19|20)\d{2}/);
    if (!year) { return text; }
    const rest = text.replace(year[0], " ").match(/\d{1,2}/);
    const month = rest && Number(rest[0]) >= 1 && Number(rest[0]) <= 12 ? `-${rest[0].padStart(2, "0")}` : "";
    return year[0] + month;
  },

  heading(part, tool = "") {
    const badge = make("span", { className: "badge bad", textContent: say("missing"), hidden: true });
    if (data.core.includes(part)) { this.badges[part] = badge; }
    const flagged = data.flagged.includes(part) ? make("span", { className: "badge flag", textContent: say("flagged") }) : "";
    return make("div", { className: "heading" }, [make("h3", {}, [say(part), " ", badge, flagged]), tool]);
  },

  section(section, given) {
    const root = document.getElementById("sections");
    const entries = make("div", { className: "entries" });
    const add = make("button", { type: "button", className: "link", textContent: `+ ${say("add")}`, disabled: !data.editable });
    add.addEventListener("click", () => { const entry = this.entry(section, null, {}, entries); entry.fields[0].input.focus(); this.measure(); this.onChange(); });
    root.append(this.heading(section, add), entries);
    const found = data.profile[section] || [];
    const current = (at(data.profile, "meta.gleaner.work") || []).map((flag) => flag.current);
    const wanted = given || found.map((values, origin) => ({ ...values, origin, current: section === "work" ? current[origin] : undefined }));
    wanted.forEach((values) => this.entry(section, Number.isInteger(values.origin) ? values.origin : null, values, entries));
  },

  entry(section, origin, values, root) {
    const entry = { origin, fields: [], current: null, node: make("fieldset", { className: "entry" }) };
    entry.node.setAttribute("aria-label", `${say(section)} ${this.sections[section].length + 1}`);
    this.sections[section].push(entry);
    const grid = make("div", { className: "grid" });
    ENTRIES[section].forEach(([key, label]) => {
      if (LONG.has(key) && !values[key]) { return; }
      const field = this.field(key, origin === null ? `new.${key}` : `${section}[${origin}].${key}`, say(label), values[key] || "");
      field.section = section;
      field.entry = entry;
      entry.fields.push(field);
      const cell = make("label", { className: `cell ${key}` }, [make("span", { textContent: say(label) }), field.input]);
      const evidence = data.evidence[field.path];
      if (evidence && evidence.confidence !== undefined && field.input.value) {
        cell.firstChild.append(make("meter", { min: 0, max: 1, low: 0.6, high: 0.85, optimum: 1, value: evidence.confidence, title: `${say(evidence.source)} ${evidence.confidence.toFixed(2)}` }));
      }
      grid.append(cell);
    });
    if (section === "work") {
      const box = make("input", { type: "checkbox", checked: values.current === true, disabled: !data.editable });
      entry.current = box;
      const end = entry.fields.find((field) => field.key === "endDate");
      const follow = () => { end.input.disabled = box.checked || !data.editable; if (box.checked) { end.input.value = ""; } };
      box.addEventListener("change", () => { follow(); this.onChange(); });
      follow();
      grid.append(make("label", { className: "cell current" }, [box, make("span", { textContent: say("current") })]));
    }
    const tools = make("div", { className: "moves" });
    const tool = (text, label, act) => {
      const button = make("button", { type: "button", className: "link", textContent: text, title: label, disabled: !data.editable });
      button.setAttribute("aria-label", label);
      button.addEventListener("click", act);
      tools.append(button);
    };
    tool("↑", say("up"), () => this.move(section, entry, -1));
    tool("↓", say("down"), () => this.move(section, entry, 1));
    tool("÷", say("split"), () => this.split(section, entry, root));
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

  // Runs a change of the order of entries; what was taken from the page goes along with its field.
  reorder(change) {
    const held = this.fields.map((field) => [field, this.sources[this.pathOf(field)]]).filter(([, source]) => source);
    for (const [field] of held) { delete this.sources[this.pathOf(field)]; }
    change();
    for (const [field, source] of held) { if (this.fields.includes(field)) { this.sources[this.pathOf(field)] = source; } }
    this.measure();
    this.onChange();
  },

  move(section, entry, step) {
    const all = this.sections[section];
    const from = all.indexOf(entry);
    const to = from + step;
    if (to < 0 || to >= all.length) { return; }
    this.reorder(() => { all.splice(from, 1); all.splice(to, 0, entry); });
    if (step < 0) { entry.node.previousElementSibling.before(entry.node); } else { entry.node.nextElementSibling.after(entry.node); }
  },

  remove(section, entry) {
    this.reorder(() => {
      this.sections[section].splice(this.sections[section].indexOf(entry), 1);
      this.fields = this.fields.filter((field) => field.entry !== entry);
    });
    entry.node.remove();
    if (this.current && this.current.entry === entry) { this.current = null; }
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
    this.reorder(() => { all.splice(all.indexOf(made), 1); all.splice(all.indexOf(entry) + 1, 0, made); });
    entry.node.after(made.node);
    made.fields.find((field) => !field.input.value).input.focus();
  },

  list(list, given) {
    const root = document.getElementById("sections");
    const chips = make("div", { className: "chips" });
    const found = given || (data.profile[list] || []).map((entry) => entry[LISTS[list]]);
    const input = make("input", { type: "text", placeholder: say("addSkill"), disabled: !data.editable });
    input.setAttribute("aria-label", `${say(list)}: ${say("add")}`);
    const add = (name) => {
      const text = name.trim();
      if (!text || this.names[list].includes(text)) { return; }
      this.names[list].push(text);
      const index = (data.profile[list] || []).findIndex((entry) => entry[LISTS[list]] === text);
      const evidence = index >= 0 ? data.evidence[`${list}[${index}].${LISTS[list]}`] : null;
      const remove = make("button", { type: "button", textContent: "×", disabled: !data.editable });
      remove.setAttribute("aria-label", `${say("remove")}: ${text}`);
      const chip = make("span", { className: "chip" }, [text, remove]);
      chip.addEventListener("pointerenter", () => { if (evidence) { original.mark([], evidence); } });
      remove.addEventListener("click", () => { this.names[list].splice(this.names[list].indexOf(text), 1); chip.remove(); this.measure(); this.onChange(); });
      chips.insertBefore(chip, input);
      this.measure();
    };
    const field = { key: list, path: list, input, before: "", picker: (picked) => { add(picked.text); this.sources[`${list}[${this.names[list].length - 1}].${LISTS[list]}`] = { page: picked.page, bbox: picked.bbox, quote: picked.quote }; this.onChange(); } };
    input.addEventListener("focus", () => { this.current = field; this.onFocus(field); });
    input.addEventListener("keydown", (event) => {
      if ((event.key === "Enter" && !event.ctrlKey) || event.key === ",") { event.preventDefault(); add(input.value); input.value = ""; this.onChange(); }
    });
    input.addEventListener("blur", () => { if (input.value.trim()) { add(input.value); input.value = ""; this.onChange(); } });
    chips.append(input);
    root.append(this.heading(list), chips);
    found.forEach(add);
  },

  measure() {
    const has = (key) => this.fields.some((field) => field.key === key && !field.entry && (field.masked || field.input.value.trim()));
    const filled = (section) => this.sections[section].some((entry) => entry.fields.some((field) => field.input.value.trim()));
    const met = [has("name"), has("phone"), has("email"), filled("work"), filled("education"), this.names.skills.length > 0].filter(Boolean).length;
    for (const [part, badge] of Object.entries(this.badges)) { badge.hidden = part in ENTRIES ? filled(part) : this.names[part].length > 0; }
    document.getElementById("meter").value = met;
    document.getElementById("score").textContent = `${met} / 6`;
  },

  read() {
    const basics = Object.fromEntries(this.fields.filter((field) => !field.entry && !field.masked && BASICS.some(([key]) => key === field.key)).map((field) => [field.key, field.input.value]));
    const entries = (section) => this.sections[section].map((entry) => ({
      origin: entry.origin,
      ...Object.fromEntries(entry.fields.filter((field) => !field.masked).map((field) => [field.key, field.input.value])),
      ...(entry.current ? { current: entry.current.checked ? true : null } : {}),
    }));
    // A path under basics is the same before and after; the server knows the city by the document's own path.
    return { basics, work: entries("work"), education: entries("education"), skills: [...this.names.skills], languages: [...this.names.languages], sources: { ...this.sources } };
  },

  firstMissing() {
    const first = document.querySelector(".field.missing, .field.doubtful");
    if (first) { return this.fields.find((field) => field.row === first); }
    const part = Object.keys(this.badges).find((name) => !this.badges[name].hidden);
    if (part) { return { input: part in ENTRIES ? this.badges[part].closest(".heading").querySelector("button") : this.badges[part].closest(".heading").nextElementSibling.querySelector("input") }; }
    return this.fields.find((field) => field.row && !field.masked);
  },
};
