/** A row at the end of an acceptance page, with as many columns as the others have. */
export function acceptanceRow(read, page, promise, test) {
  const file = `test/acceptance/${page}.md`;
  const last = read(file)
    .split("\n")
    .findLast((line) => line.startsWith("| "));
  const columns = (last?.split(" | ").length ?? 2) - 2;
  return { file, after: /^\| /, text: `| ${[promise, ...Array(columns).fill("new"), test].join(" | ")} |` };
}
