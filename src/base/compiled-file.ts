// Threads and child processes start from compiled files. A test runner runs the sources, and neither can load TypeScript: the file
// in dist/ is used then.

/** Where the compiled file lies of a source (or folder) that is named relative to the file that asks (`import.meta.url`). */
export function compiledFile(asking: string, path: string): URL {
  const source = new URL(path, asking);
  if (!asking.endsWith(".ts")) return new URL(source.href.replace(/\.ts$/, ".js"));
  const inside = source.href.slice(new URL("..", import.meta.url).href.length);
  return new URL(inside.replace(/\.ts$/, ".js"), new URL("../../dist/", import.meta.url));
}
