// The original: pages as pictures with the words' places over them, or lines of text. Shows where a value stands,
// and gives the words one clicks or drags over.
"use strict";
const data = JSON.parse(document.getElementById("case-data").textContent);
const say = (name, values = {}) => Object.entries(values).reduce((text, [key, value]) => text.replace(`%(${key})s`, value), data.text[name] || name);
const SVG = "http://www.w3.org/2000/svg";

function make(tag, properties = {}, children = []) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === "data") { Object.assign(node.dataset, value); } else if (name in node && name !== "list") { node[name] = value; } else { node.setAttribute(name, value); }
  }
  node.append(...children);
  return node;
}

const original = {
  words: [], // every word in reading order: {text, box, space, page, line, nodes}
  zoom: 1,
  turns: 0,
  onPick: () => {},

  build() {
    const pictures = document.getElementById("original");
    const texts = document.getElementById("text");
    data.pages.forEach((page) => {
      const first = this.words.length;
      page.lines.forEach((line, lineNumber) => line.words.forEach(([text, box, space]) => {
        this.words.push({ text, box, space, page: page.number, line: lineNumber, nodes: [] });
      }));
      const words = this.words.slice(first);
      texts.append(this.textPage(page, words));
      pictures.append(page.picture ? this.picturePage(page, words) : this.textPage(page, words));
    });
    for (const root of [pictures, texts]) { this.listen(root); }
  },

  textPage(page, words) {
    const sheet = make("article", { className: "sheet text" });
    if (data.pages.length > 1) { sheet.append(make("div", { className: "folio", textContent: say("page", { number: page.number }) })); }
    if (!words.length) { sheet.append(make("p", { className: "quiet", textContent: say("noText") })); }
    let at = 0;
    let last = null; // the table row of the line before: cells of one row stand side by side
    let cells = null;
    page.lines.forEach((line) => {
      const row = make("div", { className: `line ${line.style}` });
      const place = line.row ? line.row.join() : null;
      if (place && place === last) { cells.append(row); } else if (place) { cells = make("div", { className: "cells" }, [row]); sheet.append(cells); } else { sheet.append(row); }
      last = place;
      line.words.forEach(([text, , space]) => {
        const word = words[at];
        const node = make("span", { className: "word", textContent: text, data: { word: String(this.words.indexOf(word)) } });
        word.nodes.push(node);
        row.append(node);
        if (space) { row.append(" "); }
        at += 1;
      });
    });
    return sheet;
  },

  picturePage(page, words) {
    const sheet = make("article", { className: "sheet picture", data: { page: String(page.number) } });
    const image = make("img", { alt: say("page", { number: page.number }), loading: page.number > 2 ? "lazy" : "eager", src: data.picture.replace("{page}", page.number) });
    if (page.ratio) { image.style.aspectRatio = String(1 / page.ratio); }
    image.addEventListener("error", () => { sheet.replaceWith(words.length ? this.textPage(page, words) : make("p", { className: "sheet quiet text", textContent: say("noPicture") })); });
    const overlay = document.createElementNS(SVG, "svg");
    overlay.setAttribute("viewBox", "0 0 1 1");
    overlay.setAttribute("preserveAspectRatio", "none");
    const marks = document.createElementNS(SVG, "g");
    overlay.append(marks);
    for (const word of words) {
      if (!word.box) { continue; }
      const node = this.rectangle(word.box, "word");
      node.dataset.word = String(this.words.indexOf(word));
      const title = document.createElementNS(SVG, "title");
      title.textContent = word.text;
      node.append(title);
      word.nodes.push(node);
      overlay.append(node);
    }
    sheet.append(image, overlay);
    sheet.marks = marks;
    return sheet;
  },

  rectangle([x0, y0, x1, y1], kind, room = 0) {
    const node = document.createElementNS(SVG, "rect");
    node.setAttribute("x", x0 - room);
    node.setAttribute("y", y0 - room);
    node.setAttribute("width", Math.max(0, x1 - x0 + 2 * room));
    node.setAttribute("height", Math.max(0, y1 - y0 + 2 * room));
    node.setAttribute("class", kind);
    return node;
  },

  // Marks all values quietly and one loudly; scrolls to the loud one.
  mark(quiet, loud) {
    document.querySelectorAll("#original g rect").forEach((node) => node.remove());
    document.querySelectorAll(".word.marked, .word.found").forEach((node) => node.classList.remove("marked", "found"));
    for (const evidence of quiet) { this.draw(evidence, "found"); }
    if (loud) {
      const node = this.draw(loud, "marked");
      if (node) { node.scrollIntoView({ block: "nearest", behavior: "smooth" }); }
    }
  },

  draw(evidence, kind) {
    if (!evidence) { return null; }
    let first = null;
    if (evidence.bbox) {
      const sheet = document.querySelector(`#original .sheet.picture[data-page="${evidence.page || 1}"]`);
      if (sheet && sheet.marks) {
        first = this.rectangle(evidence.bbox, kind, 0.003);
        sheet.marks.append(first);
      }
    }
    for (const word of this.wordsOf(evidence)) {
      for (const node of word.nodes) {
        if (node.tagName === "SPAN") { node.classList.add(kind); if (!first && node.offsetParent) { first = node; } }
      }
    }
    return first;
  },

  // The words an evidence speaks of: those within its box, else those that spell its quote.
  wordsOf({ page, bbox, quote }) {
    const there = this.words.filter((word) => !page || word.page === page);
    if (bbox) {
      const [x0, y0, x1, y1] = bbox;
      const inside = there.filter(({ box }) => box && (box[0] + box[2]) / 2 >= x0 && (box[0] + box[2]) / 2 <= x1 && (box[1] + box[3]) / 2 >= y0 && (box[1] + box[3]) / 2 <= y1);
      if (inside.length) { return inside; }
    }
    const bare = (text) => text.replace(/\s+/g, "").toLowerCase();
    const wanted = bare(quote || "");
    if (!wanted) { return []; }
    let text = "";
    const starts = there.map((word) => { const at = text.length; text += bare(word.text); return at; });
    const at = text.indexOf(wanted);
    if (at < 0) { return []; }
    return there.filter((word, index) => starts[index] < at + wanted.length && starts[index] + bare(word.text).length > at);
  },

  listen(root) {
    let from = null;
    const wordAt = (event) => { const node = event.target.closest("[data-word]"); return node ? Number(node.dataset.word) : null; };
    const chosen = (to) => this.words.slice(Math.min(from, to), Math.max(from, to) + 1);
    const show = (words) => {
      document.querySelectorAll(".word.chosen").forEach((node) => node.classList.remove("chosen"));
      words.forEach((word) => word.nodes.forEach((node) => node.classList.add("chosen")));
    };
    root.addEventListener("pointerdown", (event) => { from = event.button === 0 ? wordAt(event) : null; if (from !== null) { event.preventDefault(); show(chosen(from)); } });
    root.addEventListener("pointerover", (event) => { const to = wordAt(event); if (from !== null && to !== null) { show(chosen(to)); } });
    root.addEventListener("pointerup", (event) => {
      if (from === null) { return; }
      const to = wordAt(event) ?? from;
      const words = chosen(to);
      from = null;
      show([]);
      const picked = this.pick(words);
      if (picked) { this.onPick(picked, event.shiftKey); }
    });
    document.addEventListener("pointerup", () => { from = null; show([]); });
  },

  pick(words) {
    words = words.filter((word) => !word.text.startsWith("▮"));
    if (!words.length) { return null; }
    const text = words.map((word, index) => {
      const next = words[index + 1];
      if (!next) { return word.text; }
      return word.text + (next.line !== word.line || next.page !== word.page || word.space ? " " : "");
    }).join("");
    const boxes = words.map((word) => word.box).filter(Boolean);
    const samePage = words.every((word) => word.page === words[0].page);
    const bbox = boxes.length && samePage
      ? [Math.min(...boxes.map((box) => box[0])), Math.min(...boxes.map((box) => box[1])), Math.max(...boxes.map((box) => box[2])), Math.max(...boxes.map((box) => box[3]))]
      : null;
    return { text, page: words[0].page, bbox, quote: text };
  },

  look() {
    for (const root of [document.getElementById("original"), document.getElementById("text")]) {
      root.style.setProperty("--zoom", this.zoom);
      root.style.setProperty("--turn", `${this.turns * 90}deg`);
      root.classList.toggle("turned", this.turns % 2 === 1);
    }
  },
};
