// `npm run new` as a function: the program writes into any checkout.
const program: string = new URL("../../scripts/new.mjs", import.meta.url).href;

export interface Scaffolded {
  written: string[];
  changed: string[];
  next: string[];
}

export async function formatFiles(root: string, files: readonly string[]): Promise<{ status: number; stderr: string }> {
  const { formatFiles: format } = await import(program);
  return format(root, files);
}

export async function scaffold(root: string, words: readonly string[]): Promise<Scaffolded> {
  const { scaffold: write } = await import(program);
  return write(root, words);
}
