// The keys of the list: the next case, the last discard taken back.
"use strict";
const BUTTONS = { KeyN: ".next button", KeyZ: ".undo button" };
document.addEventListener("keydown", (event) => {
  const button = event.altKey && !event.isComposing ? document.querySelector(BUTTONS[event.code] || "none") : null;
  if (button) { event.preventDefault(); button.click(); }
});
