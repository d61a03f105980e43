// The theme that somebody chose here or in the dashboard; the choice stays in this browser.
const place = "trawl-theme";

/** Shows the chosen one at once; what it returns makes the choice work, once there is one. */
export function showTheme(): () => void {
  show(localStorage.getItem(place) ?? "system");
  return () => {
    const choice = document.querySelector<HTMLSelectElement>("[data-theme-choice]");
    if (!choice) return;
    choice.value = localStorage.getItem(place) ?? "system";
    choice.hidden = false;
    choice.addEventListener("change", () => {
      localStorage.setItem(place, choice.value);
      show(choice.value);
    });
  };
}

function show(theme: string): void {
  if (theme === "light" || theme === "dark") document.documentElement.dataset["theme"] = theme;
  else delete document.documentElement.dataset["theme"];
}
