// A batch on its way refreshes itself; a dangerous button asks first.
"use strict";
const moving = document.querySelector("[data-refresh]");
if (moving) {
  setTimeout(() => { if (document.visibilityState === "visible") { location.reload(); } }, Number(moving.dataset.refresh) * 1000);
}
for (const form of document.querySelectorAll("form[data-confirm]")) {
  form.addEventListener("submit", (event) => { if (!confirm(form.dataset.confirm)) { event.preventDefault(); } });
}
