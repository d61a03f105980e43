// Patterns of data files: flags may come first, as in `(?i)access denied`, and `{name}` is the part of that name.

type Parts = Readonly<Record<string, string>>;

const noParts: Parts = {};

export function patternOf(stored: string, usualFlags = "", parts = noParts): RegExp {
  const [, flags = usualFlags, source = stored] = /^\(\?([a-z]+)\)(.*)$/s.exec(stored) ?? [];
  return new RegExp(expand(source, parts), flags);
}

function expand(source: string, parts: Parts): string {
  return source.replace(/\{([a-zA-Z]+)\}/g, (name, part: string) =>
    Object.hasOwn(parts, part) ? expand(parts[part] as string, parts) : name,
  );
}
