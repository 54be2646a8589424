// Keeps the coordinator's page up to date, except for parts that are being used, and says when it cannot.

const OFTEN = 20000; // ms

const parts = [...document.querySelectorAll("[data-from]")];
const gone = document.getElementById("gone");
let since = null; // when the page was last up to date, if it no longer is

/** Ask for a part of the page; null if there is no answer that can be shown. */
async function ask(path) {
  try {
    const response = await fetch(path);
    if (response.ok) {
      tell(null);
      return await response.text();
    }
    tell(response.status === 401 ? "You are no longer signed in: open your link again." : "The server reports a problem.");
  } catch {
    tell("The server cannot be reached. If you have stopped it, start it again; annotators cannot save their ratings meanwhile.");
  }
  return null;
}

/** Say what is wrong and since when; with null, that everything is well. */
function tell(problem) {
  since = problem === null ? null : (since ?? new Date());
  gone.hidden = problem === null;
  const text = problem && `${problem} What is shown here is from before ${since.toLocaleTimeString()}. This page tries again by itself.`;
  if (gone.textContent !== text) gone.textContent = text; // or it would be announced again
}

async function renew(part) {
  const text = await ask(part.dataset.from);
  const isInUse = part.contains(document.activeElement) || part.querySelector("details[open]");
  if (text === null || isInUse) return;
  // The server escapes all values, and the page's policy runs no script that it did not serve.
  part.replaceChildren(document.createRange().createContextualFragment(text));
  part.removeAttribute("aria-live"); // announce it once, not every time
}

function renewAll() {
  if (!document.hidden) parts.forEach(renew);
}

renew(document.getElementById("agreement"));
setInterval(renewAll, OFTEN);
document.addEventListener("visibilitychange", renewAll);
