// The one look of the drawn pictures in the docs: colours for light and dark, boxes, words.

const look = `
  .ground { fill: #ffffff } .box { fill: #eef4fb; stroke: #3b6ea5 } .panel { fill: #f6f8fa; stroke: #d0d7de }
  .line { fill: none; stroke: #57606a; stroke-opacity: .55; stroke-width: 1.3 } .tip { fill: #57606a }
  text { fill: #1f2328; font: 13px system-ui, sans-serif } .soft { fill: #57606a } .strong { font-weight: 600 } .small { font-size: 12px }
  .middle { text-anchor: middle } .end { text-anchor: end }
  .ours { fill: #2f6fb0 } .theirs { fill: #b9c2cc } .bar { stroke: #b3261e; stroke-width: 2 } .axis { stroke: #d0d7de }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #0d1117 } .box { fill: #14263b; stroke: #5b93cf } .panel { fill: #161b22; stroke: #30363d }
    .line { stroke: #9aa4af } .tip { fill: #9aa4af } text { fill: #e6edf3 } .soft { fill: #9aa4af }
    .ours { fill: #5b9fe0 } .theirs { fill: #4b5663 } .bar { stroke: #ff7b72 } .axis { stroke: #30363d }
  }`;

const tip = `<marker id="tip" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="tip" d="M0 0 L8 4 L0 8z"/></marker>`;

/** A whole file. */
export function picture(width, height, label, parts) {
  const [wide, high] = [Math.round(width), Math.round(height)];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${high}" viewBox="0 0 ${wide} ${high}" role="img" aria-label="${escaped(label)}">`,
    `<style>${look}</style>`,
    `<defs>${tip}</defs>`,
    `<rect class="ground" width="${wide}" height="${high}"/>`,
    ...parts,
    "</svg>\n",
  ].join("\n");
}

/** A box with a name in its middle. */
export function box(x, y, width, height, name) {
  return `<rect class="box" x="${x}" y="${y}" width="${width}" height="${height}" rx="6"/>${text(x + width / 2, y + height / 2 + 4.5, name, "middle")}`;
}

export function text(x, y, words, style = "") {
  return `<text x="${x}" y="${y}" class="${style}">${escaped(words)}</text>`;
}

function escaped(words) {
  return words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
