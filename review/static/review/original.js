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
      pictures.append(page.picture ? this.picturePage(page, words) : this.flowPage(page, words));
    });
    if (!data.pages.length) { for (const root of [pictures, texts]) { root.append(make("p", { className: "quiet", textContent: say("noFile") })); } }
    for (const root of [pictures, texts]) { this.listen(root); }
    document.getElementById("rotate").hidden = !data.pages.some((page) => page.picture);
  },

  // The extracted text, line by line; cells of one row of a table stand side by side.
  textPage(page, words) {
    const sheet = this.sheet(page, words, "text");
    const take = this.taker(words);
    let last = null; // the table row of the line before
    let cells = null;
    page.lines.forEach((line) => {
      const row = this.line(line, take);
      const place = line.cell ? line.cell.slice(0, 2).join() : null;
      if (place && place === last) { cells.append(row); } else if (place) { cells = make("div", { className: "cells" }, [row]); sheet.append(cells); } else { sheet.append(row); }
      last = place;
    });
    return sheet;
  },

  // A page of a format without fixed places (Word, HTML), as it looks there: tables, headings, lists, sizes, indents, tabs.
  // Made of the words that were read and of nothing of the file itself.
  flowPage(page, words) {
    const sheet = this.sheet(page, words, "flow");
    const take = this.taker(words);
    const lasts = {}; // the last line of each table: until then a table inside it belongs to the cell at hand
    page.lines.forEach((line, index) => { if (line.cell) { lasts[line.cell[0]] = index; } });
    const open = []; // tables around the line at hand, the innermost last
    let block = null;
    page.lines.forEach((line, index) => {
      while (open.length && !(line.cell && line.cell[0] === open.at(-1).number) && lasts[open.at(-1).number] < index) { open.pop(); }
      const known = line.cell ? open.findIndex((table) => table.number === line.cell[0]) : -1;
      if (known >= 0) { open.length = known + 1; }
      if (line.block !== block) {
        block = line.block;
        if (index && !open.length) { sheet.append(make("hr")); }
      }
      const node = this.line(line, take, true);
      if (!line.cell) { (open.length ? open.at(-1).cell : sheet).append(node); return; }
      if (known < 0) { open.push(this.table(line.cell[0], open.length ? open.at(-1).cell : sheet)); }
      this.cellOf(open.at(-1), line.cell).append(node);
    });
    sheet.querySelectorAll("table").forEach((table) => {
      const tall = [...table.querySelectorAll(":scope > tbody > tr > td")].some((cell) => cell.children.length > 5);
      table.classList.toggle("layout", tall);
    });
    return sheet;
  },

  table(number, place) {
    const body = make("tbody");
    place.append(make("table", {}, [body]));
    return { number, body, row: null, rowNumber: -1, column: 0, cell: null, at: "" };
  },

  cellOf(table, [, row, column, span]) {
    if (row !== table.rowNumber) {
      table.row = make("tr");
      table.body.append(table.row);
      Object.assign(table, { rowNumber: row, column: 0, at: "" });
    }
    if (table.at !== `${row},${column}`) {
      if (column > table.column) { table.row.append(make("td", { colSpan: column - table.column })); }
      table.cell = make("td", { colSpan: span });
      table.row.append(table.cell);
      Object.assign(table, { column: column + span, at: `${row},${column}` });
    }
    return table.cell;
  },

  sheet(page, words, kind) {
    const sheet = make("article", { className: `sheet ${kind}` });
    if (data.pages.length > 1) { sheet.append(make("div", { className: "folio", textContent: say("page", { number: page.number }) })); }
    if (!words.length) { sheet.append(make("p", { className: "quiet", textContent: say("noText") })); }
    return sheet;
  },

  // Gives the words of a page one by one, each with its number among all.
  taker(words) {
    const first = words.length ? this.words.indexOf(words[0]) : 0;
    let at = 0;
    return () => { const number = first + at; at += 1; return [this.words[number], number]; };
  },

  line(line, take, looks = false) {
    const bullet = line.style === "list" && line.words.length && /^[-–—•·*▪◦●○■□➢►»]$/u.test(line.words[0][0]); // brings its own
    const row = make("div", { className: `line ${bullet ? "bulleted" : line.style}` });
    if (looks) {
      row.style.setProperty("--size", Math.min(Math.max(line.size, 0.8), 2));
      row.style.setProperty("--gap", Math.min(line.gap, 2));
      row.style.setProperty("--indent", Math.min(line.indent, 0.5));
    }
    line.words.forEach(([text, , space, bold]) => {
      const [word, number] = take();
      const node = make("span", { className: looks && bold ? "word bold" : "word", textContent: text, data: { word: String(number) } });
      word.nodes.push(node);
      row.append(node);
      if (space) { row.append(" "); }
    });
    return row;
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
    const first = words.length ? this.words.indexOf(words[0]) : 0;
    for (const [index, word] of words.entries()) {
      if (!word.box) { continue; }
      const node = this.rectangle(word.box, "word");
      node.dataset.word = String(first + index);
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
    const text = words.map((word, index) => {
      const next = words[index + 1];
      if (!next) { return word.text; }
      return word.text + (next.line !== word.line || next.page !== word.page || word.space ? " " : "");
    }).join("").replace(/\s+/g, " ").trim(); // a tab between two columns is a word of its own
    if (!text) { return null; }
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
