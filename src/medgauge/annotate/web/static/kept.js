// What a page keeps in the browser, where that lets it keep anything.

/** Use a storage of the browser, which may refuse, be full, or not be there. */
function keeper(storage) {
  const attempt = (act, otherwise) => {
    try {
      return act(storage());
    } catch {
      return otherwise;
    }
  };
  return {
    /** List the names that begin in some way. */
    names: (start) => attempt((kept) => Object.keys(kept).filter((name) => name.startsWith(start)), []),
    read: (name) => attempt((kept) => kept.getItem(name), null),
    forget: (name) => attempt((kept) => kept.removeItem(name), undefined),
    /** Keep a text under a name, and say whether it could be. */
    keep: (name, text) =>
      attempt((kept) => {
        kept.setItem(name, text);
        return true;
      }, false),
  };
}

export const onDevice = keeper(() => localStorage);
export const inWindow = keeper(() => sessionStorage); // until it is closed
