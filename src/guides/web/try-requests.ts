// Sends what the forms of the API reference say to this server, and shows the answer.
import { addCopyButtons, makeScrollable } from "./code-blocks.ts";

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

interface Session {
  csrf: string;
  person: { name: string } | null;
}

/** A request as it is sent, and as a command shows it. */
interface Prepared {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | FormData | File | null;
}

const keyPlace = "trawl-api-key";
/** More of an answer would make the page slow; it can be saved whole. */
const mostShown = 200_000;

let session: Promise<Session | null> | undefined;

export function addTryForms(): void {
  const forms = [...document.querySelectorAll<HTMLDetailsElement>("details.try")];
  const keys = [...document.querySelectorAll<HTMLInputElement>("[data-key]")];
  for (const key of keys) {
    key.value = sessionStorage.getItem(keyPlace) ?? "";
    key.addEventListener("input", () => {
      sessionStorage.setItem(keyPlace, key.value.trim());
      for (const other of keys) if (other !== key) other.value = key.value;
    });
  }
  for (const details of forms) {
    details.hidden = false;
    const form = details.querySelector<HTMLFormElement>("[data-request]");
    form?.addEventListener("submit", (event) => {
      event.preventDefault();
      void send(details, form);
    });
  }
}

async function send(details: HTMLDetailsElement, form: HTMLFormElement): Promise<void> {
  const answer = details.querySelector<HTMLElement>(".try-answer");
  const submit = form.querySelector<HTMLButtonElement>("[type=submit]");
  const cancel = form.querySelector<HTMLButtonElement>("[data-cancel]");
  if (!answer || !submit || !cancel) return;
  const stop = new AbortController();
  submit.disabled = true;
  cancel.hidden = false;
  cancel.onclick = () => stop.abort();
  answer.hidden = false;
  answer.replaceChildren(notice("Waiting for the answer …"));
  try {
    const request = await prepare(details, form);
    const started = performance.now();
    const { method, headers, body } = request;
    const response = await window.fetch(request.path, { method, headers, body, signal: stop.signal });
    const bytes = await response.arrayBuffer();
    answer.replaceChildren(...describe(response, bytes, performance.now() - started), asCommand(request));
  } catch (error) {
    const text = stop.signal.aborted ? "Cancelled." : error instanceof Error ? error.message : String(error);
    answer.replaceChildren(notice(text, "bad"));
  }
  submit.disabled = false;
  cancel.hidden = true;
  addCopyButtons(answer);
  makeScrollable();
  answer.focus({ preventScroll: true });
  answer.scrollIntoView({ block: "nearest" });
}

async function prepare(details: HTMLDetailsElement, form: HTMLFormElement): Promise<Prepared> {
  const method = details.dataset["method"] ?? "GET";
  const controls = [...form.querySelectorAll<Control>("[data-place]")];
  const values = controls.flatMap((control) => {
    const value = readControl(control);
    return value === undefined ? [] : [{ name: control.dataset["name"] ?? "", place: control.dataset["place"], value }];
  });
  const at = (place: string) => values.filter((each) => each.place === place);
  const query = new URLSearchParams(at("query").map(({ name, value }) => [name, asText(value)]));
  const path = at("path").reduce(
    (whole, { name, value }) => whole.replace(`{${name}}`, encodeURIComponent(asText(value))),
    details.dataset["path"] ?? "",
  );
  const headers: Record<string, string> = { ...(await credentials(form, method)) };
  for (const { name, value } of at("header")) headers[name] = asText(value);
  const fields = Object.fromEntries(at("body").map(({ name, value }) => [name, value]));
  const body = makeBody(details.dataset["body"], fields, form);
  if (typeof body === "string") headers["content-type"] = "application/json";
  if (body instanceof File) headers["content-type"] = "application/octet-stream";
  return { method, path: `${path}${query.size > 0 ? `?${query}` : ""}`, headers, body };
}

function makeBody(kind: string | undefined, fields: Record<string, unknown>, form: HTMLFormElement): Prepared["body"] {
  if (kind === "raw") return form.querySelector<HTMLInputElement>("[data-file]")?.files?.[0] ?? null;
  if (kind === "form") {
    const data = new FormData();
    for (const [name, value] of Object.entries(fields))
      data.append(name, value instanceof File ? value : asText(value));
    return data;
  }
  if (kind !== "json") return null;
  const rest = form.querySelector<HTMLTextAreaElement>("[data-rest]");
  const more: unknown = rest && rest.value.trim() !== "" ? parse(rest.value, labelOf(rest)) : {};
  const isObject = typeof more === "object" && more !== null && !Array.isArray(more);
  return JSON.stringify(isObject ? { ...fields, ...more } : more);
}

function readControl(control: Control): unknown {
  const { value } = control;
  const kind = control.dataset["kind"];
  if (kind === "file") return (control as HTMLInputElement).files?.[0];
  if (value.trim() === "") return undefined;
  if (kind === "number") return Number(value);
  if (kind === "boolean") return value === "true";
  if (kind === "lines") return value.split("\n").filter((line) => line.trim() !== "");
  return kind === "json" ? parse(value, labelOf(control)) : value;
}

function parse(text: string, label: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${label}: ${error instanceof Error ? error.message : "not JSON"}`);
  }
}

function labelOf(control: Control): string {
  return control.labels?.[0]?.textContent ?? "The field";
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The key of the form; without one, the session of the dashboard, if there is one. */
async function credentials(form: HTMLFormElement, method: string): Promise<Record<string, string>> {
  const key = form.querySelector<HTMLInputElement>("[data-key]")?.value.trim() ?? "";
  if (key !== "") return { authorization: `Bearer ${key}` };
  if (method === "GET") return {};
  session ??= readSession();
  const csrf = (await session)?.csrf ?? "";
  return csrf === "" ? {} : { "x-trawl-csrf": csrf };
}

async function readSession(): Promise<Session | null> {
  const response = await window.fetch("/dashboard/api/session");
  return response.ok ? ((await response.json()) as Session) : null;
}

function describe(response: Response, bytes: ArrayBuffer, ms: number): HTMLElement[] {
  const type = response.headers.get("content-type") ?? "";
  const isText = bytes.byteLength === 0 || /json|text|xml|javascript/.test(type);
  const text = isText ? new TextDecoder().decode(bytes) : "";
  const json = /json/.test(type) ? tryParse(text) : undefined;
  const shown = json === undefined ? text : JSON.stringify(json, null, 2);
  const head = document.createElement("p");
  head.className = "row";
  head.setAttribute("role", "status");
  const badge = document.createElement("span");
  badge.className = `badge ${response.ok ? "good" : "bad"}`;
  badge.textContent = `${response.status} ${response.statusText}`.trim();
  head.append(badge, ` ${Math.round(ms)} ms · ${bytes.byteLength.toLocaleString("en")} bytes `);
  const code = typeof json === "object" && json !== null && "code" in json && !response.ok ? String(json.code) : "";
  if (/^[A-Z_]+$/.test(code)) head.append(link(`/docs/errors#${code.toLowerCase()}`, `What ${code} means`));
  if (!isText || shown.length > mostShown) {
    const file = link(URL.createObjectURL(new Blob([bytes], { type })), "Save the whole answer");
    file.download = "answer";
    head.append(file);
  }
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
  return [
    head,
    folded("Headers", block(headers)),
    ...(shown === "" ? [] : [block(shown.length > mostShown ? `${shown.slice(0, mostShown)}\n…` : shown)]),
  ];
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The same request in a shell; the key is left for its owner to fill in. */
function asCommand({ method, path, headers, body }: Prepared): HTMLElement {
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const shown = Object.entries(headers).flatMap(([name, value]) => {
    if (name === "x-trawl-csrf") return ["Authorization: Bearer YOUR_API_KEY"];
    return [`${name}: ${name === "authorization" ? "Bearer YOUR_API_KEY" : value}`];
  });
  const parts = [
    `curl${method === "GET" ? "" : ` -X ${method}`} ${quoted(location.origin + path)}`,
    ...shown.map((header) => `-H ${quoted(header)}`),
    ...(typeof body === "string" ? [`-d ${quoted(body)}`] : []),
    ...(body instanceof File ? [`--data-binary ${quoted(`@${body.name}`)}`] : []),
    ...(body instanceof FormData
      ? [...body].map(([name, value]) => `-F ${quoted(`${name}=${value instanceof File ? `@${value.name}` : value}`)}`)
      : []),
  ];
  return folded("As a command", block(parts.join(" \\\n  ")));
}

function folded(title: string, content: HTMLElement): HTMLElement {
  const details = document.createElement("details");
  const summary = document.createElement("summary");
  summary.textContent = title;
  details.append(summary, content);
  return details;
}

function block(text: string): HTMLElement {
  const pre = document.createElement("pre");
  pre.className = "code tall";
  const code = document.createElement("code");
  code.textContent = text;
  pre.append(code);
  return pre;
}

function link(href: string, text: string): HTMLAnchorElement {
  const anchor = document.createElement("a");
  anchor.href = href;
  anchor.textContent = text;
  return anchor;
}

function notice(text: string, kind = ""): HTMLElement {
  const box = document.createElement("p");
  box.className = `notice ${kind}`;
  box.setAttribute("role", "status");
  box.textContent = text;
  return box;
}
