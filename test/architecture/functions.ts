// Functions of a source file and their lengths, found by indentation: every file is formatted, so a function ends with the
// first bracket in the column where its first line begins.
interface FoundFunction {
  name: string;
  /** Line on which it begins, counted from 1. */
  at: number;
  lines: number;
}

const opening =
  /^(?<indent> *)(?:export )?(?:default )?(?:async )?(?:function\b\*? ?(?<declared>\w*)|(?:const (?<constant>\w+)|(?<property>\w+))(?::[^=]*)?(?: =|:) (?:async )?(?:<[^>]*>)?\(|(?:static |get |set |\*|async )*(?<method>[\w#]+)(?:<[^>]*>)?\()/;

export function functionsOf(source: string): FoundFunction[] {
  const lines = source.split("\n");
  return lines.flatMap((line, place) => {
    const found = opening.exec(line)?.groups;
    if (found === undefined || /^\s*(?:if|for|while|switch|catch|return)\b/.test(line)) return [];
    const indent = found["indent"] ?? "";
    const end = endOf(lines, place, indent);
    if (end === null) return [];
    const name = found["declared"] ?? found["constant"] ?? found["property"] ?? found["method"] ?? "";
    return [{ name, at: place + 1, lines: end - place + 1 }];
  });
}

/** The line that closes the body; null when the statement has no body. */
function endOf(lines: readonly string[], start: number, indent: string): number | null {
  let hasBody = false;
  for (let place = start; place < lines.length; place++) {
    const line = lines[place] ?? "";
    const isInColumn = line.startsWith(indent) && line.charAt(indent.length) !== " " && line.length > indent.length;
    if (!isInColumn) continue;
    if (line.endsWith("{") && /(?:\)|=>|\)?: .*) \{$/.test(line)) hasBody = true;
    else if (place > start && !/[{(,]$/.test(line))
      return hasBody && line.slice(indent.length).startsWith("}") ? place : null;
    else if (place === start && /[;}]$/.test(line)) return null;
  }
  return null;
}
