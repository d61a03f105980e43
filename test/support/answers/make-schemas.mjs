// Writes JSON Schemas of what official clients take, once per installation of them: of every type of the SDK, strict, and of what
// the tools of firecrawl-mcp return. Workers of a run read the file; reading the SDK's types takes the compiler several seconds.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const packages = fileURLToPath(new URL("../../clients/node_modules/", import.meta.url));
const folder = join(packages, ".cache");
const file = join(folder, "answer-schemas.json");
const made = ["firecrawl", "firecrawl-mcp", "ts-json-schema-generator"].map(
  (name) => `${name} ${JSON.parse(readFileSync(join(packages, name, "package.json"), "utf8")).version}`,
);
made.push(String(readFileSync(import.meta.filename, "utf8").length));

if (!existsSync(file) || JSON.stringify(JSON.parse(readFileSync(file, "utf8")).made) !== JSON.stringify(made)) {
  mkdirSync(folder, { recursive: true });
  const schemas = { made, types: await typesOfSdk(), tools: await toolsOfMcp() };
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, JSON.stringify(schemas));
  renameSync(fresh, file);
}

async function typesOfSdk() {
  const source = join(folder, "sdk-types.d.ts");
  writeFileSync(source, withUsualParameters(readFileSync(join(packages, "firecrawl/dist/index.d.ts"), "utf8")));
  const place = pathToFileURL(join(packages, "ts-json-schema-generator/dist/index.js"));
  const { createGenerator } = await import(place.href);
  const generator = createGenerator({
    path: source,
    expose: "all",
    type: "*",
    skipTypeCheck: true,
    additionalProperties: false,
    functions: "hide",
    encodeRefs: false,
  });
  return generator.createSchema("*").definitions;
}

/** Types of v1 depend on what the caller asks for: as they are for a caller who asks for anything. */
function withUsualParameters(text) {
  const wanted = [
    [
      "ActionsSchema extends (ActionsResult | never) = never",
      "ActionsSchema extends (ActionsResult | never) = ActionsResult",
    ],
    ["    actions: ActionsSchema;", "    actions?: ActionsSchema;"],
    ["FirecrawlDocument<undefined>", "FirecrawlDocument<any>"],
  ];
  return wanted.reduce((changed, [as, usual]) => {
    if (!changed.includes(as)) throw new Error(`the SDK's types no longer have: ${as}`);
    return changed.replaceAll(as, usual);
  }, text);
}

async function toolsOfMcp() {
  const client = new Client({ name: "test", version: "1" });
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    FIRECRAWL_API_URL: "http://127.0.0.1:9",
    FIRECRAWL_API_KEY: "fc-1",
  };
  const args = [join(packages, "firecrawl-mcp/dist/index.js")];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: "ignore" }));
  const { tools } = await client.listTools();
  await client.close();
  return Object.fromEntries(tools.map(({ name, outputSchema }) => [name, outputSchema]));
}
