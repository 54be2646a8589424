// A page belongs to the annotator it was made for: a change of person is said in words, and needs a click.

import { onClick, open } from "./dialogs.js";
import { inWindow } from "./kept.js";

const dialog = document.getElementById("person");
const { whose, name } = dialog.dataset;
const TAB = `medgauge:tab:${whose.split("_")[0]}`; // whose tab this is, in this study
const here = { whose, name };

let next = null; // who would continue

/** Ask whether to continue as somebody else, who is signed in now. */
export function askToChange(person) {
  const tab = owner();
  if (person.whose === tab.whose) {
    location.replace("/"); // the tab's own annotator has come back
    return;
  }
  next = person;
  for (const [part, text] of [[".before", tab.name], [".now", person.name]]) {
    dialog.querySelectorAll(part).forEach((one) => { one.textContent = text; });
  }
  open(dialog);
}

/** Continue as before if the annotator of this page is signed in again; the tab may still be another's. */
export function settle() {
  if (next === null || next.whose === whose) return;
  next = null;
  dialog.close();
}

function owner() {
  try {
    const kept = JSON.parse(inWindow.read(TAB));
    return typeof kept.whose === "string" && typeof kept.name === "string" ? kept : here;
  } catch {
    return here;
  }
}

dialog.addEventListener("cancel", (event) => event.preventDefault());
dialog.addEventListener("close", () => {
  if (next !== null) open(dialog); // browsers close it at the second Escape, whatever a page says
});
onClick(dialog, dialog.querySelector("button"), () => {
  inWindow.keep(TAB, JSON.stringify(next));
  location.replace("/");
});

document.querySelector('form[action="/sign-out"]').addEventListener("submit", () => inWindow.forget(TAB));

if (owner().whose === whose) inWindow.keep(TAB, JSON.stringify(here));
else askToChange(here);
