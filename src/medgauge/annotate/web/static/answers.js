// The answers of the protocol: buttons or a slider, used with mouse, touch or keys.

import { onDevice } from "./kept.js";

const KEYS_OFF = "medgauge:keys-off";
const TOO_QUICK = 200; // ms: the second tap of a double tap does not answer the next pair

const choices = document.getElementById("choices");
const slider = document.getElementById("slider");
const range = document.getElementById("range");
const chosen = document.getElementById("chosen");
const save = document.getElementById("save");
const unsure = document.getElementById("unsure");
const keysBox = document.getElementById("keys");

let shownAt = 0;
let isOpen = true;

/** Return the buttons and the value of each; null is unsure. */
function buttons() {
  const found = choices ? [...choices.querySelectorAll("button")] : [];
  const valued = found.map((button) => [button, Number(button.dataset.value)]);
  return unsure ? [...valued, [unsure, null]] : valued;
}

/** Return an answer in words. */
export function labelOf(value) {
  const match = buttons().find(([, one]) => one === value);
  return match ? match[0].querySelector(".label").textContent : String(value);
}

/** Show the answer that was given, or none (undefined), and accept answers for a new pair. */
export function present(value) {
  shownAt = performance.now();
  for (const [button, one] of buttons()) {
    button.setAttribute("aria-pressed", String(value === one));
  }
  if (range) {
    const isSet = typeof value === "number";
    if (!isSet) {
      // Put the thumb in the middle, on the nearest step.
      range.value = (Number(range.min) + Number(range.max)) / 2;
    } else {
      range.value = value;
    }
    markRange(isSet);
  }
}

function markRange(isSet) {
  range.classList.toggle("untouched", !isSet);
  save.disabled = !isSet;
  chosen.textContent = isSet ? String(Number(range.value)) : "–";
  range.setAttribute("aria-valuetext", isSet ? String(Number(range.value)) : "not rated yet");
}

/** Accept answers, or not, for example while feedback is shown. */
export function accept(open) {
  isOpen = open;
  for (const [button] of buttons()) button.disabled = !open;
  if (range) {
    range.inert = !open; // disabled, it would be grey, and so would the answer that it shows
    save.disabled = !open || range.classList.contains("untouched");
  }
}

/** Focus the slider, so that keys move it; buttons have their own keys. */
export function focusAnswer() {
  if (range) range.focus({ preventScroll: true });
}

function areKeysOn() {
  return keysBox.checked;
}

function isTyping(event) {
  const on = event.target;
  return event.ctrlKey || event.metaKey || event.altKey || event.repeat || document.querySelector("dialog[open]")
    || (on instanceof HTMLInputElement && on.type !== "range" && on.type !== "checkbox");
}

/** Call `answer` with each answer, and `other` with any other key that is pressed. */
export function listen(answer, other) {
  const give = (value) => {
    if (isOpen && performance.now() - shownAt >= TOO_QUICK) answer(value);
  };
  for (const [button, value] of buttons()) button.addEventListener("click", () => give(value));
  if (range) {
    const touched = () => markRange(true);
    range.addEventListener("input", touched);
    range.addEventListener("pointerup", touched); // the middle can be a deliberate answer, too
    save.addEventListener("click", () => give(Number(range.value)));
  }
  keysBox.checked = onDevice.read(KEYS_OFF) === null;
  keysBox.addEventListener("change", () => {
    if (areKeysOn()) onDevice.forget(KEYS_OFF);
    else onDevice.keep(KEYS_OFF, "1");
  });
  document.addEventListener("keydown", (event) => {
    if (event.repeat && event.key === "Enter") event.preventDefault(); // held on a button, it would click repeatedly
    if (isTyping(event)) return;
    if (event.key === "Enter" && event.target === range && !save.disabled) {
      event.preventDefault();
      give(Number(range.value));
      return;
    }
    if (!areKeysOn()) return;
    const pressed = event.key.toLowerCase();
    const keyed = (wanted) => buttons().find(([button]) => button.dataset.key?.toLowerCase() === wanted);
    const key = keyed(pressed) ? pressed : (digitOf(event) ?? pressed);
    const match = keyed(key);
    if (match) {
      event.preventDefault();
      give(match[1]);
    } else if (range && isOpen && /^[0-9]$/.test(key) && isStep(Number(key))) {
      event.preventDefault();
      range.value = key;
      markRange(true);
      range.focus({ preventScroll: true });
    } else if (!(range && key.startsWith("arrow"))) {
      other(key, event);
    }
  });
}

/** Return the digit on a key that types something else without Shift, as on French or Arabic keyboards. */
function digitOf(event) {
  const found = /^(?:Digit|Numpad)([0-9])$/.exec(event.code);
  return found && event.key.length === 1 && !event.shiftKey ? found[1] : null;
}

function isStep(value) {
  const steps = (value - Number(range.min)) / Number(range.step);
  return value >= Number(range.min) && value <= Number(range.max) && Math.abs(steps - Math.round(steps)) < 1e-9;
}
