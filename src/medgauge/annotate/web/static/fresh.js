// Asks anew for a page to which somebody went back: browsers keep it as it was, also for who comes after a sign-out.

addEventListener("pageshow", (event) => {
  if (event.persisted) location.replace(location.pathname); // not reloaded, which would send a form again
});
