// The search box shows what is found while somebody types; Enter without a choice opens the page of results.

interface Hit {
  url: string;
  page: string;
  heading: string;
  excerpt: { text: string; isMatch: boolean }[];
}

const pauseMs = 120;
const mostShown = 8;

export function addLiveSearch(): void {
  const form = document.querySelector<HTMLFormElement>("form.guide-search");
  const input = form?.querySelector("input");
  if (!form || !input) return;
  const list = document.createElement("ul");
  list.id = "found-guides";
  list.className = "guide-hits";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Found in the docs");
  list.hidden = true;
  form.append(list);
  for (const [name, value] of Object.entries({
    role: "combobox",
    "aria-expanded": "false",
    "aria-controls": list.id,
    "aria-autocomplete": "list",
  }))
    input.setAttribute(name, value);
  input.title = "Press / to search";

  let waiting: ReturnType<typeof setTimeout> | undefined;
  let asked = 0;
  let chosen = -1;

  function choose(place: number): void {
    const options = [...list.children];
    chosen = options.length === 0 ? -1 : (place + options.length) % options.length;
    for (const [index, option] of options.entries()) {
      option.setAttribute("aria-selected", String(index === chosen));
      if (index === chosen) option.scrollIntoView({ block: "nearest" });
    }
    if (chosen < 0) input?.removeAttribute("aria-activedescendant");
    else input?.setAttribute("aria-activedescendant", `found-guide-${chosen}`);
  }

  function show(hits: readonly Hit[]): void {
    list.replaceChildren(...hits.slice(0, mostShown).map(asOption));
    list.hidden = hits.length === 0;
    input?.setAttribute("aria-expanded", String(hits.length > 0));
    chosen = -1;
    input?.removeAttribute("aria-activedescendant");
  }

  async function ask(): Promise<void> {
    const number = ++asked;
    const query = input?.value.trim() ?? "";
    if (query === "") return show([]);
    const response = await window.fetch(`/docs/search.json?q=${encodeURIComponent(query)}`);
    if (!response.ok) return;
    const { results } = (await response.json()) as { results: Hit[] };
    // What was typed later has been asked for, too.
    if (number === asked) show(results);
  }

  input.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => void ask(), pauseMs);
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") show([]);
    if (list.hidden) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      choose(event.key === "ArrowDown" ? chosen + 1 : chosen < 0 ? -1 : chosen - 1);
    }
    if (event.key === "Enter" && chosen >= 0) {
      event.preventDefault();
      list.children[chosen]?.querySelector("a")?.click();
    }
  });
  form.addEventListener("focusout", ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && form.contains(relatedTarget))) show([]);
  });
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof HTMLElement && /^(?:INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
    const isShortcut = event.key === "/" || (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey));
    if (!isShortcut || (isTyping && event.key === "/")) return;
    event.preventDefault();
    // On a phone, the box is in the menu.
    if (input.offsetParent === null) location.hash = "#menu";
    input.focus();
  });
}

/** Links inside options are for pointers: the keyboard chooses options. */
function asOption({ url, page, heading, excerpt }: Hit, place: number): HTMLElement {
  const option = document.createElement("li");
  option.id = `found-guide-${place}`;
  option.setAttribute("role", "option");
  option.setAttribute("aria-selected", "false");
  const link = document.createElement("a");
  link.href = url;
  link.tabIndex = -1;
  const title = document.createElement("b");
  title.textContent = heading;
  const where = document.createElement("span");
  where.className = "faint";
  where.textContent = heading === page ? "" : page;
  const text = document.createElement("span");
  text.className = "excerpt";
  for (const piece of excerpt) {
    const part = document.createElement(piece.isMatch ? "mark" : "span");
    part.textContent = piece.text;
    text.append(part);
  }
  link.append(title, where, text);
  option.append(link);
  return option;
}
