// Reloads a page reached with the Back button: browsers keep it as it was, even after a sign-out.

addEventListener("pageshow", (event) => {
  if (event.persisted) location.replace(location.pathname); // reload() would send a form again
});
