const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export function toHtmlText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] as string);
}
