// Answers that the server refused for good: shown until the annotator has read it, even after a reload.

import { onClick, open } from "./dialogs.js";
import { inWindow } from "./kept.js";

const dialog = document.getElementById("refused");

export class Refusals {
  /** `name` distinguishes this annotator's refusals; `show` shows a pair by its place, if the page `has` it. */
  constructor(name, { has, show }) {
    this.name = `medgauge:refused:${name}`;
    this.has = has;
    this.show = show;
    this.all = this.kept();
    onClick(dialog, document.getElementById("refused-read"), () => dialog.close());
    dialog.addEventListener("close", () => this.forget());
    if (this.all.length > 0) this.tell();
  }

  kept() {
    try {
      const kept = JSON.parse(inWindow.read(this.name));
      return Array.isArray(kept) ? kept.filter((one) => typeof one?.text === "string") : [];
    } catch {
      return [];
    }
  }

  add(text, place) {
    this.all.push({ text, place });
    inWindow.keep(this.name, JSON.stringify(this.all));
    this.tell();
  }

  forget() {
    this.all = [];
    inWindow.forget(this.name);
  }

  tell() {
    const rows = this.all.map(({ text, place }) => {
      const row = document.createElement("li");
      row.append(text);
      if (this.has(place)) row.append(" ", this.button(place));
      return row;
    });
    document.getElementById("refused-list").replaceChildren(...rows);
    open(dialog);
  }

  button(place) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Show this pair";
    onClick(dialog, button, () => {
      dialog.close();
      this.show(place);
    });
    return button;
  }
}
