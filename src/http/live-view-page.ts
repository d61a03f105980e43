// The live view page: a picture of the browser, a status line, and where allowed, mouse and keyboard.
// It loads nothing, and its content security policy allows only this script and connections to this server.
import { createHash } from "node:crypto";

const style = `body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: #1a1a1a; background: #fff }
header { padding: .5rem 1rem }
h1 { margin: 0; font-size: 1rem }
p { margin: 0; overflow-wrap: anywhere }
canvas { display: block; max-width: 100%; height: auto; background: #eee }
dialog { max-width: 40rem; white-space: pre-wrap; overflow-wrap: anywhere }
dialog p { margin: 0 0 1rem; max-height: 50vh; overflow: auto }
dialog input { display: block; width: 100%; box-sizing: border-box; margin: 0 0 1rem; font: inherit }
dialog button { font: inherit; min-width: 6rem }
canvas:focus-visible { outline: 3px solid #0b57d0; outline-offset: -3px }
@media (prefers-color-scheme: dark) { body { color: #eee; background: #1a1a1a } canvas { background: #333 } }`;

const script = `"use strict";
const canvas = document.querySelector("canvas");
const status = document.querySelector("#status");
const where = document.querySelector("#where");
const pen = canvas.getContext("2d");
const takesPart = document.documentElement.dataset.control === "1";
const address = new URL(location.href);
address.pathname = address.pathname.replace(/\\/$/, "") + "/stream";
address.protocol = address.protocol.replace("http", "ws");
let socket;
let tries = 0;
let receivedAt = 0;
const connect = () => {
  socket = new WebSocket(address);
  socket.binaryType = "blob";
  socket.onopen = () => { tries = 0; receivedAt = Date.now(); status.textContent = "Connected."; };
  socket.onmessage = show;
  socket.onclose = ({ code, reason }) => {
    const isFinal = [1000, 1008, 1009, 1013].includes(code);
    status.textContent = reason || (isFinal ? "The connection was closed." : "Connection lost.");
    if (!isFinal) again();
  };
};
// The server sends something every 30 seconds. A lost network sends nothing at all.
setInterval(() => {
  if (socket.readyState !== 1 || Date.now() - receivedAt < 75000) return;
  socket.onclose = null;
  socket.close();
  status.textContent = "Connection lost.";
  again();
}, 5000);
const again = () => {
  tries += 1;
  if (tries > 30) return;
  setTimeout(async () => {
    // Inside a sandboxed frame the page has no origin, and may ask for nothing but the connection.
    if (window.origin === "null") return connect();
    const answer = await window.fetch(location.href, { signal: AbortSignal.timeout(5000) }).catch(() => null);
    if (answer === null) return again();
    if (answer.ok) return connect();
    status.textContent = answer.status === 410 ? "The session has ended." : "This live view is no longer available.";
  }, Math.min(10000, 500 * tries));
};
let drawn = 0;
/** Shows a dialog of the page; in the interactive view it can be answered. */
const tellQuestion = ({ kind, message }) => {
  status.textContent = kind === null ? "Connected." : "The page is waiting for an answer" + (message ? ": " + message : ".");
};
let onQuestion = tellQuestion;
const show = async ({ data }) => {
  receivedAt = Date.now();
  if (typeof data === "string") {
    const news = JSON.parse(data);
    if (news.type === "alive") return;
    if (news.type === "question") return onQuestion(news);
    const { url, title } = news;
    where.textContent = title ? title + " \\u2013 " + url : url || "No page is open.";
    canvas.setAttribute("aria-label", url ? "Screenshot of the page " + (title || url) : "No page is open");
    if (url === "") pen.clearRect(0, 0, canvas.width, canvas.height);
    return;
  }
  const picture = await createImageBitmap(data);
  if (canvas.width !== picture.width || canvas.height !== picture.height) {
    canvas.width = picture.width;
    canvas.height = picture.height;
  }
  pen.drawImage(picture, 0, 0);
  picture.close();
  drawn += 1;
  canvas.dataset.frames = drawn;
};
connect();
if (takesPart) {
  const send = (message) => { if (socket.readyState === 1) socket.send(JSON.stringify(message)); };
  // AltGr makes characters, though some systems call it Control and Alt.
  const keysOf = (event) => event.getModifierState("AltGraph") ? (event.shiftKey ? 8 : 0) : (event.altKey ? 1 : 0) + (event.ctrlKey ? 2 : 0) + (event.metaKey ? 4 : 0) + (event.shiftKey ? 8 : 0);
  const part = (value, whole) => Math.min(1, Math.max(0, value / whole));
  const placeOf = (event) => {
    const box = canvas.getBoundingClientRect();
    return { x: part(event.clientX - box.left, box.width), y: part(event.clientY - box.top, box.height) };
  };
  const buttons = ["left", "middle", "right"];
  const mouse = (action) => (event) => {
    event.preventDefault();
    if (action === "down") canvas.focus();
    const held = action === "move" ? (event.buttons & 1 ? "left" : "none") : buttons[event.button] ?? "none";
    const clickCount = action === "move" ? 0 : Math.min(3, Math.max(1, event.detail));
    send({ type: "mouse", action, ...placeOf(event), button: held, clickCount, modifiers: keysOf(event) });
  };
  canvas.addEventListener("mousedown", mouse("down"));
  canvas.addEventListener("mouseup", mouse("up"));
  let isMoving = false;
  canvas.addEventListener("mousemove", (event) => {
    if (isMoving) return;
    isMoving = true;
    requestAnimationFrame(() => { isMoving = false; });
    mouse("move")(event);
  });
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const limit = (value) => Math.max(-10000, Math.min(10000, value));
    send({ type: "wheel", ...placeOf(event), deltaX: limit(event.deltaX), deltaY: limit(event.deltaY), modifiers: keysOf(event) });
  }, { passive: false });
  const key = (action) => (event) => {
    if (event.key === "Escape" && event.shiftKey) { canvas.blur(); return; }
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "v") return;
    event.preventDefault();
    send({ type: "key", action, key: event.key.slice(0, 32), code: event.code.slice(0, 32), keyCode: event.keyCode & 255, modifiers: keysOf(event) });
  };
  canvas.addEventListener("keydown", key("down"));
  canvas.addEventListener("keyup", key("up"));
  const question = document.querySelector("dialog");
  const reply = question.querySelector("input");
  const [yes, no] = question.querySelectorAll("button");
  onQuestion = (news) => {
    const { kind, message, suggestion } = news;
    tellQuestion(news);
    if (question.open) question.close();
    if (kind === null) return;
    question.querySelector("p").textContent = kind === "beforeunload" ? "Leave this page? Changes may be lost." : message;
    reply.hidden = kind !== "prompt";
    reply.value = suggestion;
    no.hidden = kind === "alert";
    question.showModal();
    (reply.hidden ? yes : reply).focus();
  };
  const answer = (accept) => {
    send({ type: "answer", accept, text: reply.value.slice(0, 5000) });
    question.close();
    canvas.focus();
  };
  yes.addEventListener("click", () => answer(true));
  no.addEventListener("click", () => answer(false));
  reply.addEventListener("keydown", (event) => { if (event.key === "Enter") answer(true); });
  question.addEventListener("cancel", (event) => { event.preventDefault(); answer(false); });
  document.addEventListener("paste", (event) => {
    if (question.open) return;
    const text = event.clipboardData?.getData("text").slice(0, 5000);
    if (text) send({ type: "text", text });
  });
}`;

const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

export const liveViewPolicy = [
  "default-src 'none'",
  `script-src ${hashOf(script)}`,
  `style-src ${hashOf(style)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  // The dashboard shows it in a frame.
  "frame-ancestors 'self'",
].join("; ");

export function liveViewPage(takesPart: boolean): string {
  const hint = takesPart
    ? "<p>Click the picture to send mouse and keyboard input to the page. Press Shift+Escape to stop.</p>"
    : "<p>This view is read-only.</p>";
  const question = takesPart
    ? '\n<dialog aria-label="Dialog of the page"><p></p><input aria-label="Answer"><button>OK</button> <button>Cancel</button></dialog>'
    : "";
  const focus = takesPart ? ' tabindex="0" role="application"' : ' role="img"';
  return `<!doctype html>
<html lang="en" data-control="${takesPart ? "1" : "0"}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Live view of a browser session</title>
<style>${style}</style>
</head>
<body>
<main>
<header>
<h1>Live view</h1>
<p id="where"></p>
<p id="status" role="status">Connecting…</p>
${hint}
</header>
<canvas width="1280" height="800"${focus} aria-label="Screenshot of the page"></canvas>${question}
</main>
<script>${script}</script>
</body>
</html>
`;
}
