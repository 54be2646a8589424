// Answers that are not yet saved: sent in order, and again until the server has them.
//
// Each entry is kept on the device until then, so that neither an unreachable server nor a closed window loses it. It
// has its own key, by which the server stores it only once however often it is sent.

import { inWindow, onDevice } from "./kept.js";
import { Refused, csrf, post } from "./requests.js";

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 15000;
const OUTDATED = "medgauge:outdated";

export class Queue {
  /** `name` distinguishes this annotator's entries from others on the same device. */
  constructor(name, { onChange, onReply, onRefused }) {
    this.prefix = `medgauge:${name}:`;
    this.onChange = onChange;
    this.onReply = onReply;
    this.onRefused = onRefused;
    this.problem = null;
    this.isKept = true; // whether all entries would survive closing the page
    this.isSending = false;
    this.wait = FIRST_WAIT;
    this.entries = this.kept();
    addEventListener("online", () => this.hurry());
    document.addEventListener("visibilitychange", () => document.hidden || this.hurry());
  }

  /** Return what an earlier page left unsent, in order. */
  kept() {
    const entries = onDevice.names(this.prefix).map((name) => toEntry(onDevice.read(name)));
    return entries.filter((entry) => entry !== null).sort((one, other) => one.at - other.at);
  }

  get isEmpty() {
    return this.entries.length === 0;
  }

  /** Add a value to be posted to a path, with a new key, and return the entry. */
  add(path, sent) {
    const key = newKey();
    const last = this.entries.at(-1)?.at ?? 0; // the clock of the device may have been put back
    const entry = { at: Math.max(Date.now(), last + 1), path, sent: { ...sent, key } };
    this.entries.push(entry);
    this.isKept = onDevice.keep(this.prefix + key, JSON.stringify(entry)) && this.isKept;
    this.send();
    return entry;
  }

  /** Send the entries one after the other; on failure, wait and try again. */
  async send() {
    if (this.isSending) return;
    this.isSending = true;
    while (this.entries.length > 0) {
      const entry = this.entries[0];
      try {
        const reply = await post(entry.path, entry.sent);
        this.drop(entry);
        inWindow.forget(OUTDATED);
        this.problem = null;
        this.wait = FIRST_WAIT;
        this.onReply(reply);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        if (error.retry) {
          this.problem = error;
          this.onChange();
          await this.pause();
          this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
          continue;
        }
        if (error.isAnothers) {
          // Another annotator's link was opened in this browser: the rest is kept, and sent by a page of its own.
          this.problem = this.isKept ? null : error;
          this.isSending = false;
          this.onChange();
          return;
        }
        if (error.status === 403 && this.mayReload()) {
          // A newer link of the same annotator was opened: the rest is kept, and sent by the reloaded page.
          this.problem = null;
          this.isSending = false;
          location.reload();
          return;
        }
        if (error.status === 401 || error.status === 403) {
          // Signed out: the rest is kept, and sent after signing in again.
          this.problem = error;
          this.isSending = false;
          this.onChange();
          return;
        }
        this.drop(entry);
        this.onRefused(entry, error);
      }
      this.onChange();
    }
    this.isSending = false;
  }

  /** Return whether to reload the page: if nothing is lost by it, and it was not tried with this page before. */
  mayReload() {
    return this.isKept && inWindow.read(OUTDATED) !== csrf && inWindow.keep(OUTDATED, csrf);
  }

  drop(entry) {
    this.entries.shift();
    onDevice.forget(this.prefix + entry.sent.key);
    this.isKept ||= this.isEmpty;
  }

  pause() {
    return new Promise((resolve) => {
      this.hurry = resolve;
      setTimeout(resolve, this.wait);
    });
  }

  /** Try again at once, if an entry is waiting. */
  hurry() {}
}

/** Parse an entry; null if it is not valid. */
function toEntry(text) {
  try {
    const entry = JSON.parse(text);
    return Number.isFinite(entry.at) && typeof entry.path === "string" && typeof entry.sent.key === "string" ? entry : null;
  } catch {
    return null;
  }
}

function newKey() {
  // randomUUID exists only on secure addresses, and a hospital's internal address may not be one.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
