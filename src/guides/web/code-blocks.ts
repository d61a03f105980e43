// Code gets a button that copies it, and what scrolls sideways can be scrolled by keyboard.

const shownMs = 1500;

export function addCopyButtons(within: ParentNode = document): void {
  for (const block of within.querySelectorAll<HTMLElement>("pre.code")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button small copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(block.querySelector("code")?.textContent ?? "");
      button.textContent = "Copied";
      setTimeout(() => {
        button.textContent = "Copy";
      }, shownMs);
    });
    const frame = document.createElement("div");
    frame.className = "code-frame";
    block.replaceWith(frame);
    frame.append(block, button);
  }
}

/** Of tables and code that are wider than the page. */
export function makeScrollable(): void {
  const check = () => {
    for (const block of document.querySelectorAll<HTMLElement>("pre.code, .table-wrap")) {
      if (block.scrollWidth > block.clientWidth) block.tabIndex = 0;
      else block.removeAttribute("tabindex");
    }
  };
  check();
  window.addEventListener("resize", check);
}
