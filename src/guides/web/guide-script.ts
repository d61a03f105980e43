// What a page of the docs does in a browser. Everything but the forms also works without it. It is loaded before the page is
// shown, so that the chosen theme comes first.
import { addCopyButtons, makeScrollable } from "./code-blocks.ts";
import { showTheme } from "./guide-theme.ts";
import { addLiveSearch } from "./live-search.ts";
import { addTryForms } from "./try-requests.ts";

const chooseTheme = showTheme();
document.addEventListener("DOMContentLoaded", () => {
  chooseTheme();
  addCopyButtons();
  makeScrollable();
  addLiveSearch();
  addTryForms();
  document.addEventListener("keydown", ({ key }) => {
    if (key === "Escape" && location.hash === "#menu") location.hash = "#content";
  });
});
