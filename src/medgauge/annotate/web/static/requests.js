// Requests to the server that served the page.

import { askToChange } from "./person.js";

/** The token that proves to the server that a request comes from this page, and whose page it is. */
export const csrf = document.querySelector('meta[name="csrf"]').content;
const PATIENCE = 15000; // ms until a server that does not answer counts as unreachable

/** A request that the server refused or did not receive; `retry`: sending it again later makes sense. */
export class Refused extends Error {
  constructor(sentence, { retry, status, isAnothers = false }) {
    super(sentence);
    this.retry = retry;
    this.status = status;
    this.isAnothers = isAnothers; // the page belongs to somebody other than who is signed in
  }
}

/** Send a value as JSON and return the reply. */
export function post(path, value) {
  return ask(path, { method: "POST", body: JSON.stringify(value) });
}

/** Return what the server has now. */
export function get(path) {
  return ask(path, { method: "GET" });
}

async function ask(path, request) {
  let response;
  try {
    response = await fetch(path, {
      ...request,
      headers: { "content-type": "application/json", accept: "application/json", "x-csrf-token": csrf },
      signal: AbortSignal.timeout(PATIENCE),
    });
  } catch {
    throw new Refused("The server cannot be reached.", { retry: true, status: 0 });
  }
  const reply = await response.json().catch(() => null);
  if (response.ok && reply !== null) return reply;
  if (reply?.person) askToChange(reply.person);
  throw new Refused(reply?.error ?? "The server sent an unexpected reply.", {
    retry: reply?.retry ?? true,
    status: response.status,
    isAnothers: Boolean(reply?.person),
  });
}
