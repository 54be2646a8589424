// Keeps the coordinator's page up to date, except for parts that are being used.

const OFTEN = 20000; // ms

const parts = [...document.querySelectorAll("[data-from]")];

async function renew(part) {
  let text;
  try {
    const response = await fetch(part.dataset.from);
    if (!response.ok) return;
    text = await response.text();
  } catch {
    return; // try again next time
  }
  const isInUse = part.contains(document.activeElement) || part.querySelector("details[open]");
  if (isInUse) return;
  // The server escapes all values, and the page's policy runs no script that it did not serve.
  part.replaceChildren(document.createRange().createContextualFragment(text));
  part.removeAttribute("aria-live"); // announce it once, not every time
}

function renewAll() {
  if (!document.hidden) parts.forEach(renew);
}

renew(document.getElementById("agreement"));
setInterval(renewAll, OFTEN);
