// The same request for elsewhere: a shell, programs, the command line, a model's tools.
import type { FormShape } from "./playground-form.tsx";
import type { Body } from "./playground-request.ts";

export const languages = ["curl", "Node", "Python", "CLI", "MCP"] as const;
export type CodeLanguage = (typeof languages)[number];

/** The client's method, the verb and the tool have one name. */
const nameOf = (operation: string) => operation.replace(/^start/, "").toLowerCase();

export function codeFor(
  language: CodeLanguage,
  operation: string,
  form: FormShape,
  body: Body,
  baseUrl: string,
): string {
  const name = nameOf(operation);
  const json = JSON.stringify(body, null, 2);
  switch (language) {
    case "curl":
      return operation === "parse"
        ? `curl ${baseUrl}${form.path} \\\n  -H "Authorization: Bearer $TRAWL_API_KEY" \\\n  -F file=@document.pdf`
        : `curl ${baseUrl}${form.path} \\\n  -H "Authorization: Bearer $TRAWL_API_KEY" \\\n  -H "Content-Type: application/json" \\\n  -d ${quoted(JSON.stringify(body))}`;
    case "Node":
      return `import { Trawl } from "trawl/client";\n\nconst trawl = new Trawl({ apiUrl: "${baseUrl}", apiKey: "YOUR_API_KEY" });\nconst result = await trawl.${name}(${json});`;
    case "Python":
      return `import os, requests\n\nresult = requests.post(\n    "${baseUrl}${form.path}",\n    headers={"Authorization": "Bearer " + os.environ["TRAWL_API_KEY"]},\n    json=${python(body)},\n).json()`;
    case "CLI":
      return `TRAWL_API_URL=${baseUrl} trawl ${name} ${cliWords(body)}`.trim();
    case "MCP":
      return JSON.stringify({ method: "tools/call", params: { name, arguments: body } }, null, 2);
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function python(value: unknown): string {
  return JSON.stringify(value, null, 2)
    .replace(/(?<=[:[,]\s*)\btrue\b(?=\s*[,\]}]|$)/gm, "True")
    .replace(/(?<=[:[,]\s*)\bfalse\b(?=\s*[,\]}]|$)/gm, "False")
    .replace(/(?<=[:[,]\s*)\bnull\b(?=\s*[,\]}]|$)/gm, "None");
}

/** The first field is an argument; every other one is a flag of its name. */
function cliWords(body: Body): string {
  const { url, urls, query, prompt, formats, ...rest } = body;
  const words = [url, query, prompt, ...(Array.isArray(urls) ? urls : [])].filter((each) => typeof each === "string");
  const plain = Array.isArray(formats) ? formats.filter((each) => typeof each === "string") : [];
  const flags = Object.entries(rest).map(([name, value]) => {
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    if (value === true) return flag;
    return `${flag} ${quoted(typeof value === "object" ? JSON.stringify(value) : String(value))}`;
  });
  return [
    ...words.map((word) => quoted(String(word))),
    ...(plain.length > 0 ? [`-f ${plain.join(",")}`] : []),
    ...flags,
  ].join(" ");
}
