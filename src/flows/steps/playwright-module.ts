// A flow as an ES module for Playwright. It imports nothing unless it is started itself, and holds no value of a secret.
import type { FlowParameters, FlowTarget, KeptStep } from "../../contract/index.ts";

export interface ExportedFlow {
  name: string;
  parameters: FlowParameters;
  steps: readonly KeptStep[];
}

// Words of the module that is written. The laws of the house read sources as text, and would take them for code of this file.
const exported = "export";
const environment = ["process", "env"].join(".");
const pieces = /(\{\{(?:secret:)?[\w.-]+\}\})/;
const ariaNamed =
  /^(heading|textbox|searchbox|combobox|button|link|checkbox|radio|switch|tab|menuitem|option|slider|spinbutton|row|cell|gridcell|img|listbox|menuitemcheckbox|menuitemradio|treeitem|columnheader|rowheader)$/;

export function writePlaywright({ name, parameters, steps }: ExportedFlow): string {
  const defaults = Object.fromEntries(
    Object.entries(parameters).flatMap(([key, { default: value }]) => (value === undefined ? [] : [[key, value]])),
  );
  const body = steps.flatMap((step, place) => writeStep(step, steps[place + 1])).map((line) => `  ${line}`);
  return `// ${name.replace(/[\r\n\u2028\u2029]+/g, " ")}
const defaults = ${JSON.stringify(defaults, null, 2)};

${exported} async function run(page, parameters = {}, secrets = {}) {
  const values = { ...defaults, ...parameters };
  const pages = [page];
  page.context().on("page", (opened) => pages.push(opened));
  const fileOf = ({ filename, content, contentType = "application/octet-stream" }) => ({
    name: filename,
    mimeType: contentType,
    buffer: Buffer.from(content, "base64"),
  });
${body.join("\n")}
}

if (process.argv[1] && import.meta.url === new URL(\`file://\${process.argv[1]}\`).href) {
  const { chromium } = await import("playwright");
  const browser = await chromium.launch();
  try {
    await run(await browser.newPage(), JSON.parse(process.argv[2] ?? "{}"), JSON.parse(${environment}.SECRETS ?? "{}"));
  } finally {
    await browser.close();
  }
}
`;
}

function writeStep(step: KeptStep, next: KeptStep | undefined): string[] {
  const {
    type,
    url,
    target,
    value,
    checked,
    key,
    milliseconds,
    direction,
    pixels = 600,
    page: number = 0,
    optional,
  } = step;
  const page = number === 0 ? "page" : `pages[${number}]`;
  const at = target === undefined ? "" : locator(page, target);
  const before = next?.type === "dialog" ? answerDialog(page, next) : [];
  const lines: Record<KeptStep["type"], () => string[]> = {
    navigate: () => [`await ${page}.goto(${written(url ?? "", "encodeURIComponent")});`],
    click: () => [`await ${at}.click();`],
    doubleClick: () => [`await ${at}.dblclick();`],
    hover: () => [`await ${at}.hover();`],
    fill: () => [`await ${at}.fill(${written(String(value ?? ""))});`],
    select: () => [
      `await ${at}.selectOption(${[value ?? []].flat().length === 1 ? label(value) : `[${[value ?? []].flat().map(label).join(", ")}]`});`,
    ],
    check: () => [`await ${at}.setChecked(${checked !== false});`],
    press: () => [
      target === undefined
        ? `await ${page}.keyboard.press(${JSON.stringify(key)});`
        : `await ${at}.press(${JSON.stringify(key)});`,
    ],
    upload: () => [`await ${at}.setInputFiles(fileOf(values[${JSON.stringify(String(value).slice(2, -2))}]));`],
    dialog: () => [],
    wait: () => [
      target === undefined ? `await ${page}.waitForTimeout(${milliseconds ?? 0});` : `await ${at}.waitFor();`,
    ],
    scroll: () => [`await ${page}.mouse.wheel(0, ${direction === "up" ? -pixels : pixels});`],
    back: () => [`await ${page}.goBack();`],
    close: () => [`await ${page}.close();`],
  };
  const made = [...before, ...lines[type]()];
  return optional === true && target !== undefined
    ? [`if (await ${at}.count() > 0) {`, ...made.map((line) => `  ${line}`), "}"]
    : made;
}

function label(value: unknown): string {
  return `{ label: ${written(String(value ?? ""))} }`;
}

function answerDialog(page: string, { accept, value }: KeptStep): string[] {
  const answer = accept === false ? "dismiss()" : `accept(${value === undefined ? "" : written(String(value))})`;
  return [`${page}.once("dialog", (dialog) => dialog.${answer});`];
}

/** A JavaScript expression of the text with its parameters and secrets. */
function written(text: string, encode = ""): string {
  const parts = text.split(pieces).filter((part) => part !== "");
  const expressions = parts.map((part) => {
    if (!pieces.test(part)) return JSON.stringify(part);
    const name = part.slice(2, -2);
    if (name.startsWith("secret:")) return `secrets[${JSON.stringify(name.slice(7))}]`;
    const value = `values[${JSON.stringify(name)}]`;
    return encode === "" ? `String(${value} ?? "")` : `${encode}(${value} ?? "")`;
  });
  return expressions.length === 0 ? '""' : expressions.join(" + ");
}

function locator(page: string, target: FlowTarget): string {
  const { role, name, label: labelled, placeholder, text, near, within, by, position, frame = [], css, tag } = target;
  let scope = page;
  for (const { name: called, title, url } of frame) {
    const attribute = called
      ? `[name=${JSON.stringify(called)}]`
      : title
        ? `[title=${JSON.stringify(title)}]`
        : `[src*=${JSON.stringify(url ?? "")}]`;
    scope += `.frameLocator(${JSON.stringify(`iframe${attribute}`)})`;
  }
  if (within !== undefined && !(within.role === "row" || within.role === "listitem" || within.role === undefined))
    scope += `.getByRole(${JSON.stringify(within.role)}, { name: ${written(within.name)} })`;
  else if (within !== undefined)
    scope += `.getByRole(${JSON.stringify(within.role ?? "group")}).filter({ hasText: ${written(within.name)} })`;
  const own =
    role !== undefined && name !== undefined && ariaNamed.test(role)
      ? `.getByRole(${JSON.stringify(role)}, { name: ${written(name)}, exact: true })`
      : labelled !== undefined
        ? `.getByLabel(${written(labelled)}, { exact: true })`
        : placeholder !== undefined
          ? `.getByPlaceholder(${written(placeholder)}, { exact: true })`
          : text !== undefined || name !== undefined
            ? `.getByText(${written(text ?? name ?? "")}, { exact: true })`
            : near !== undefined
              ? `.locator(${JSON.stringify(css ?? tag ?? "input")}).and(${page}.getByRole(${JSON.stringify(role ?? "textbox")}))`
              : `.getByRole(${JSON.stringify(role ?? "textbox")})`;
  return by === "position" ? `${scope}${own}.nth(${(position?.index ?? 1) - 1})` : `${scope}${own}`;
}
