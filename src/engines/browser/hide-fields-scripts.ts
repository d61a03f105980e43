/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Runs inside every document of a recorded session, in a world of ours.

/** Once a field has held a password it shows dots, whatever its type becomes; so do fields for one-time codes. */
export function hideFields(): void {
  const seen = new WeakSet<Element>();
  const codes = "input[autocomplete~='one-time-code' i]";
  const passwords = "input[type='password' i]";

  const showDots = (field: HTMLElement) => field.style.setProperty("-webkit-text-security", "disc", "important");
  const take = (field: Element) => {
    if (!(field instanceof HTMLInputElement) || seen.has(field)) return;
    const isCode = field.matches(codes);
    if (!isCode && !field.matches(passwords)) return;
    seen.add(field);
    if (isCode) return showDots(field);
    // Its own dots are enough until it becomes readable.
    new MutationObserver(() => {
      if (field.type !== "password") showDots(field);
    }).observe(field, { attributes: true, attributeFilter: ["type"] });
  };
  const look = () => {
    for (const field of document.querySelectorAll(`${codes}, ${passwords}`)) take(field);
  };
  for (const type of ["focusin", "input", "pointerdown", "keydown", "click", "DOMContentLoaded"]) {
    window.addEventListener(
      type,
      (event) => {
        const [first] = event.composedPath();
        if (first instanceof Element) take(first);
        look();
      },
      { capture: true, passive: true },
    );
  }
  if (document.readyState !== "loading") look();
}
