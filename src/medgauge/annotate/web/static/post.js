// Posts to the server that served the page.

/** The token that proves to the server that a post comes from this page. */
export const csrf = document.querySelector('meta[name="csrf"]').content;
const PATIENCE = 15000; // ms until a server that does not answer counts as unreachable

/** A request that the server refused or did not receive; `retry`: sending it again later makes sense. */
export class Refused extends Error {
  constructor(sentence, { retry, status }) {
    super(sentence);
    this.retry = retry;
    this.status = status;
  }
}

/** Send a value as JSON and return the reply. */
export async function post(path, value) {
  let response;
  try {
    response = await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json", "x-csrf-token": csrf },
      body: JSON.stringify(value),
      signal: AbortSignal.timeout(PATIENCE),
    });
  } catch {
    throw new Refused("The server cannot be reached.", { retry: true, status: 0 });
  }
  const reply = await response.json().catch(() => null);
  if (response.ok && reply !== null) return reply;
  throw new Refused(reply?.error ?? "The server sent an unexpected reply.", {
    retry: reply?.retry ?? true,
    status: response.status,
  });
}
