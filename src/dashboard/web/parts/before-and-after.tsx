// A unified diff as two columns: what was, and what is.
interface Line {
  before: string | null;
  after: string | null;
}

export function Sides({ diff }: { diff: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it may scroll, so keys must reach it
    <section className="sides" aria-label="Before and after" tabIndex={0}>
      {pairs(diff).map(({ before, after }, index) => (
        <SideBySide key={index} before={before} after={after} />
      ))}
    </section>
  );
}

function SideBySide({ before, after }: Line) {
  const isSame = before === after;
  return (
    <>
      <span className={isSame || before === null ? "" : "removed"}>{before ?? ""}</span>
      <span className={isSame || after === null ? "" : "added"}>{after ?? ""}</span>
    </>
  );
}

function pairs(diff: string): Line[] {
  const lines: Line[] = [];
  let removed: string[] = [];
  let added: string[] = [];
  const flush = () => {
    for (let at = 0; at < Math.max(removed.length, added.length); at += 1)
      lines.push({ before: removed[at] ?? null, after: added[at] ?? null });
    removed = [];
    added = [];
  };
  for (const line of diff.split("\n")) {
    if (/^(?:---|\+\+\+|@@)/.test(line)) continue;
    if (line.startsWith("-")) removed.push(line.slice(1));
    else if (line.startsWith("+")) added.push(line.slice(1));
    else {
      flush();
      lines.push({ before: line.slice(1), after: line.slice(1) });
    }
  }
  flush();
  return lines;
}
