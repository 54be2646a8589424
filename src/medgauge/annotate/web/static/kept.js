// What a page keeps in the browser, if the browser allows it.

/** Wrap a storage of the browser, which may refuse, be full, or not exist. */
function keeper(storage) {
  const attempt = (act, otherwise) => {
    try {
      return act(storage());
    } catch {
      return otherwise;
    }
  };
  return {
    /** List the names that begin with `start`. */
    names: (start) => attempt((kept) => Object.keys(kept).filter((name) => name.startsWith(start)), []),
    read: (name) => attempt((kept) => kept.getItem(name), null),
    forget: (name) => attempt((kept) => kept.removeItem(name), undefined),
    /** Keep a text under a name, and return whether that worked. */
    keep: (name, text) =>
      attempt((kept) => {
        kept.setItem(name, text);
        return true;
      }, false),
  };
}

export const onDevice = keeper(() => localStorage);
export const inWindow = keeper(() => sessionStorage); // until the window is closed
