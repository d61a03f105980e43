import { readFileSync } from "node:fs";
import { parseAst } from "vite";

/** Lines on which a statement begins, and the ways that code can go at each branch: how many there are and how many ran. */
export function measureFile(path, countAt) {
  const code = readFileSync(path, "utf8");
  const lineOf = lineFinder(code);
  const lines = new Map();
  let branches = 0;
  let branchesRun = 0;
  const addBranch = (node) => {
    branches += 1;
    if (countAt(node.start) > 0) branchesRun += 1;
  };
  visit(parseAst(code), (node) => {
    if (isStatement(node)) {
      const line = lineOf(node.start);
      lines.set(line, (lines.get(line) ?? false) || countAt(node.start) > 0);
    }
    for (const way of waysOf(node)) addBranch(way);
  });
  return { lines: lines.size, linesRun: [...lines.values()].filter(Boolean).length, branches, branchesRun };
}

/** What runs or does not at a branch. An `if` without `else` has one way: V8 does not count the code after it apart. */
function waysOf(node) {
  switch (node.type) {
    case "IfStatement":
    case "ConditionalExpression":
      return [node.consequent, node.alternate].filter(Boolean);
    case "LogicalExpression":
      return [node.right];
    case "SwitchStatement":
      return node.cases.flatMap(({ consequent }) => consequent.slice(0, 1));
    case "CatchClause":
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ArrowFunctionExpression":
      return [node.body];
    case "AssignmentPattern":
      return [node.right];
    default:
      return [];
  }
}

function isStatement({ type }) {
  return /(Statement|Declaration)$/.test(type) && !/^(Block|Empty|Import|Export)/.test(type);
}

function visit(node, see) {
  see(node);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child?.type === "string") visit(child, see);
    }
  }
}

function lineFinder(code) {
  const starts = [0];
  for (let at = code.indexOf("\n"); at >= 0; at = code.indexOf("\n", at + 1)) starts.push(at + 1);
  return (place) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (starts[middle] <= place) low = middle;
      else high = middle - 1;
    }
    return low;
  };
}
