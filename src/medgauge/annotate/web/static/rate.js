// Rates the pairs of a page.

import { accept, focusAnswer, labelOf, listen, present } from "./answers.js";
import { settle } from "./person.js";
import { Queue } from "./queue.js";
import { Refusals } from "./refusals.js";
import { get } from "./requests.js";
import { Stopwatch } from "./stopwatch.js";

const state = JSON.parse(document.getElementById("state").textContent);
const items = state.items;
const find = (id) => document.getElementById(id);
const placeOf = new Map(items.map((item, number) => [item.place, number]));
const FULL =
  "All pairs on this page are rated. You can still change any of them; once the page is submitted, its ratings are final.";
const REFRESHES = 5; // attempts, while answers are given faster than the server is asked
const watch = new Stopwatch();

let at = 0; // which of the items is shown
let isStale = false; // whether the server has something other than what this page shows
let isRefreshing = false;
let changes = 0; // so that a reply from before an answer is not taken for the state after it
let turns = inTurn(); // places in the order in which they were rated

const name = `${state.study}:${state.annotator}`;
const queue = new Queue(name, { onChange: tell, onReply: replied, onRefused: refused });
const refusals = new Refusals(name, {
  has: (place) => placeOf.has(place),
  show: (place) => {
    show(placeOf.get(place));
    find("pair").scrollIntoView({ block: "nearest" });
  },
});

function inTurn() {
  const rated = items.filter((item) => item.rated).sort((one, other) => one.turn - other.turn);
  return rated.map((item) => item.place);
}

/** Show a new answer as given, and an undone one as open, before the server knows. */
function apply({ path, sent }) {
  const item = items[placeOf.get(sent.place)];
  if (item === undefined) return; // from an earlier page
  turns = turns.filter((place) => place !== item.place);
  item.rated = path === "/rate";
  item.version = item.rated ? sent.key : null;
  if (!item.rated) return;
  item.value = sent.value;
  turns.push(item.place);
}

/** Send a change of a pair, with the answer that this page showed. */
function send(path, sent) {
  changes += 1;
  apply(queue.add(path, { ...sent, seen: items[placeOf.get(sent.place)].version }));
}

function answer(value) {
  send("/rate", { place: items[at].place, value, seconds: watch.seconds });
  goOn();
}

function undo() {
  if (turns.length === 0) return;
  const place = turns.at(-1);
  send("/undo", { place });
  show(placeOf.get(place));
}

/** Show the next pair without a rating; if there is none, stay. */
function goOn() {
  const next = nextUnrated();
  show(next ?? at);
  if (next === null) accept(false); // or the next key pressed in rhythm would change a rating
}

/** Find the next pair without a rating, from here on and then from the start; null if there is none. */
function nextUnrated() {
  const after = items.findIndex((item, number) => number > at && !item.rated);
  if (after >= 0) return after;
  const first = items.findIndex((item) => !item.rated);
  return first >= 0 ? first : null;
}

function show(number) {
  at = number;
  const item = items[at];
  find("count").textContent = `Pair ${at + 1} of ${items.length}`;
  find("left").textContent = item.left;
  find("right").textContent = item.right;
  find("before").disabled = at === 0;
  find("after").disabled = at === items.length - 1;
  accept(true);
  present(item.rated ? item.value : undefined);
  watch.start();
  focusAnswer();
  list();
  tell();
}

/** Show what is done, what is left, and whether it is saved. */
function tell() {
  if (isStale && queue.isEmpty) {
    isStale = false;
    refresh();
  }
  const done = items.filter((item) => item.rated).length;
  const left = items.length - done;
  find("progress").value = done;
  find("left-here").textContent = `${done} of ${items.length} rated on this page, ${left} left`;
  find("left-in-all").textContent = `${state.of - state.before - done} of ${state.of} left in total`;
  find("undo").disabled = turns.length === 0;
  const { problem } = queue;
  const unsaved = find("unsaved");
  unsaved.hidden = problem === null;
  const text = problem ? `${problem.message} ${advice(problem)}` : "";
  if (unsaved.textContent !== text) unsaved.textContent = text; // or it would be announced again
  find("saved").textContent = queue.isEmpty ? (done > 0 ? "Everything is saved." : "") : waiting();
  find("submit").hidden = left > 0;
  find("full").textContent = left > 0 ? "" : FULL;
  find("submit-page").disabled = !queue.isEmpty;
}

function waiting() {
  const count = queue.entries.length;
  if (queue.problem === null) return "Saving…";
  return count === 1 ? "One change is not saved yet." : `${count} changes are not saved yet.`;
}

function advice(problem) {
  const kept = `What you answered is kept ${queue.isKept ? "on this device" : "only while this page is open"}`;
  return problem.retry ? `${kept}, and this page tries again by itself. You can continue.` : `${kept}, and will be saved when you sign in again.`;
}

/** List all pairs with their answers, if the list is open. */
function list() {
  if (!find("all").open) return;
  const rows = items.map((item, number) => {
    const button = document.createElement("button");
    button.type = "button";
    button.setAttribute("aria-current", String(number === at));
    const terms = document.createElement("span");
    terms.append(isolated(item.left), ...(item.right ? [" – ", isolated(item.right)] : []));
    const given = document.createElement("span");
    given.className = "given";
    given.textContent = item.rated ? labelOf(item.value) : "not rated";
    button.append(terms, given);
    button.addEventListener("click", () => {
      show(number);
      find("pair").scrollIntoView({ block: "nearest" });
    });
    const row = document.createElement("li");
    row.append(button);
    return row;
  });
  find("list").replaceChildren(...rows);
}

/** Return an element for a term that keeps its own text direction and does not affect its surroundings. */
function isolated(term) {
  const shown = document.createElement("bdi");
  shown.textContent = term;
  return shown;
}

function replied(reply) {
  changes += 1;
  find("paused").hidden = true;
  if (reply.remind && !find("reminder").open) find("reminder").showModal();
}

/** Say which answer was refused for good and why; then show what the server has. */
function refused({ path, sent }, error) {
  changes += 1;
  const number = placeOf.get(sent.place);
  const which = number === undefined ? "" : `Pair ${number + 1}: `;
  const lost = path === "/rate" ? `Your answer here, “${labelOf(sent.value)}”, was not saved.` : "Nothing was undone.";
  refusals.add(`${which}${error.message} ${lost}`, sent.place);
  isStale = true;
}

/** Show the answers that the server has, which may have been given in another tab or on another device. */
async function refresh() {
  if (isRefreshing) return;
  isRefreshing = true;
  try {
    for (let attempt = 0; attempt < REFRESHES; attempt += 1) {
      const before = changes;
      const now = await get("/answers");
      if (before === changes) {
        take(now);
        break;
      }
    }
  } catch {
    // A server that is lost or a sign-out is reported when there is something to save.
  } finally {
    isRefreshing = false;
  }
}

function take(now) {
  settle();
  queue.send();
  if (now.page !== state.page) {
    if (queue.isEmpty) location.reload(); // submitted elsewhere; if answers are left, they are refused first
    return;
  }
  find("paused").hidden = !now.paused;
  const { rated, version } = items[at];
  for (const item of now.items) Object.assign(items[placeOf.get(item.place)], item);
  turns = inTurn();
  queue.entries.forEach(apply);
  if (items[at].version === version) {
    list();
    tell();
  } else if (!rated) {
    goOn(); // rated elsewhere: an answer in the rhythm of rating is for the next pair
  } else {
    show(at);
  }
}

addEventListener("beforeunload", (event) => {
  if (!queue.isEmpty && (queue.problem || !queue.isKept)) event.preventDefault();
});
addEventListener("focus", refresh);
document.addEventListener("visibilitychange", () => document.hidden || refresh());
find("before").addEventListener("click", () => show(at - 1));
find("after").addEventListener("click", () => show(at + 1));
find("undo").addEventListener("click", undo);
find("all").addEventListener("toggle", list);
find("reminder").addEventListener("close", focusAnswer);
listen(answer, (key, event) => {
  if (key === "u") undo();
  else if (key === "arrowleft" && at > 0) show(at - 1);
  else if (key === "arrowright" && at < items.length - 1) show(at + 1);
  else return;
  event.preventDefault();
});

queue.entries.forEach(apply);
const first = items.findIndex((item) => !item.rated);
show(first >= 0 ? first : 0);
queue.send();
