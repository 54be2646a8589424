// Dialogs that a tap in the rhythm of rating does not answer.

const READING = 1000; // ms in which nobody has read a dialog

const shownAt = new Map();

/** Show a dialog, if it is not shown already. */
export function open(dialog) {
  if (dialog.open) return;
  shownAt.set(dialog, performance.now());
  dialog.showModal();
}

/** Act when a button of a dialog is clicked, but not before the dialog can have been read. */
export function onClick(dialog, button, act) {
  button.addEventListener("click", () => {
    if (performance.now() - shownAt.get(dialog) >= READING) act();
  });
}
