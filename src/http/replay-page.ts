// The page that plays a recording. Its content security policy allows only this script, this style and this server.
import { createHash } from "node:crypto";

const style = `:root { color-scheme: light dark; --text: #1a1a1a; --back: #fff; --line: #767676; --soft: #eee; --mark: #0b57d0 }
@media (prefers-color-scheme: dark) { :root { --text: #eee; --back: #1a1a1a; --line: #8a8a8a; --soft: #333; --mark: #8ab4f8 } }
* { box-sizing: border-box }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: var(--text); background: var(--back) }
main { display: grid; grid-template-columns: minmax(0, 1fr) 20rem; gap: 1rem; padding: 1rem; max-width: 100rem; margin: 0 auto }
header { grid-column: 1 / -1 }
h1, h2 { margin: 0; font-size: 1rem }
p { margin: 0; overflow-wrap: anywhere }
img { display: block; width: 100%; height: auto; background: var(--soft); border: 1px solid var(--line) }
.controls { display: flex; gap: .75rem; align-items: center; margin-top: .75rem }
input[type=range] { flex: 1; min-width: 4rem; height: 1.5rem; accent-color: var(--mark) }
button { font: inherit; color: inherit; background: var(--back); border: 1px solid var(--line); border-radius: .25rem; padding: .25rem .75rem; cursor: pointer }
#play { min-width: 5rem }
ol { list-style: none; margin: .5rem 0 0; padding: 0; max-height: 80vh; overflow: auto }
li button { display: flex; gap: .5rem; width: 100%; text-align: start; border-color: transparent; overflow-wrap: anywhere }
li button span:last-child { min-width: 0 }
li button[aria-current=true] { background: var(--soft); border-color: var(--line) }
time, output { font-variant-numeric: tabular-nums; white-space: nowrap }
:focus-visible { outline: 3px solid var(--mark); outline-offset: 1px }
@media (max-width: 50rem) { main { grid-template-columns: minmax(0, 1fr) } ol { max-height: none } }`;

const script = `"use strict";
const [picture, slider, play, clock, list, where, status] = ["#picture", "#slider", "#play", "#clock", "#events", "#where", "#status"].map((name) => document.querySelector(name));
const address = new URL(location.href);
address.pathname = address.pathname.replace(/\\/$/, "") + "/facts";
let recording = null;
let at = 0;
let shown = -1;
let startedAt = null;
const timeOf = (ms) => { const s = Math.floor(ms / 1000); return Math.floor(s / 60) + ":" + String(s % 60).padStart(2, "0"); };
/** The last one that is not later. */
const placeAt = (entries, time) => { let low = 0, high = entries.length; while (low < high) { const middle = (low + high) >> 1; if (entries[middle].at <= time) low = middle + 1; else high = middle; } return low - 1; };
// Pictures are asked from this server, whatever name it had when the recording was opened.
const here = (url) => { const { pathname, search } = new URL(url); return pathname + search; };
const show = () => {
  const { frames, events, pages, durationMs } = recording;
  const place = Math.max(0, placeAt(frames, at));
  if (place !== shown && frames[place]) {
    shown = place;
    picture.src = here(frames[place].url);
    const page = pages.find(({ pageId }) => pageId === frames[place].pageId);
    picture.alt = page ? "The page " + (page.title || page.url) : "The page";
    if (frames[place + 1]) new Image().src = here(frames[place + 1].url);
  }
  const opened = events.filter((event) => event.type === "navigate" && event.at <= at).at(-1);
  where.textContent = opened?.url ?? "";
  slider.value = String(at);
  slider.setAttribute("aria-valuetext", timeOf(at) + " of " + timeOf(durationMs));
  clock.textContent = timeOf(at) + " / " + timeOf(durationMs);
  const current = placeAt(events, at);
  for (const [number, button] of [...list.querySelectorAll("button")].entries()) button.setAttribute("aria-current", String(number === current));
};
const stop = () => { startedAt = null; play.textContent = "Play"; };
const step = () => {
  if (startedAt === null) return;
  at = Math.min(recording.durationMs, performance.now() - startedAt);
  show();
  if (at >= recording.durationMs) return stop();
  setTimeout(() => requestAnimationFrame(step), 100);
};
const jump = (time) => { at = Math.max(0, Math.min(recording.durationMs, time)); if (startedAt !== null) startedAt = performance.now() - at; show(); };
const names = { navigate: "Open", click: "Click", input: "Type", select: "Choose", key: "Press", dialog: "Answer a dialog", window: "New window", download: "Download", console: "Error" };
const wordsOf = ({ type, url, target, value }) => [names[type] ?? type, value && (type === "input" || type === "select") ? "\\u201c" + value + "\\u201d in" : value, target ? [target.role, target.name ? "\\u201c" + target.name + "\\u201d" : ""].filter(Boolean).join(" ") : url].filter(Boolean).join(" ");
const load = async () => {
  const answer = await fetch(address);
  if (!answer.ok) { status.textContent = "This recording is no longer available."; return; }
  recording = await answer.json();
  const { frames, events, durationMs, truncated } = recording;
  slider.max = String(Math.max(1, durationMs));
  status.textContent = (recording.status === "recording" ? "The session is still being recorded. " : "") + (truncated ? "Pictures end early: there was no room for more. " : "") + (frames.length === 0 ? "There are no pictures." : "");
  for (const event of events) {
    const button = document.createElement("button");
    const time = document.createElement("time");
    time.textContent = timeOf(event.at);
    const words = document.createElement("span");
    words.textContent = wordsOf(event);
    button.append(time, words);
    button.addEventListener("click", () => jump(event.at));
    const row = document.createElement("li");
    row.append(button);
    list.append(row);
  }
  if (events.length === 0) document.querySelector("#none").hidden = false;
  for (const control of [play, slider]) control.disabled = false;
  if (frames.length > 0) at = Math.min(frames[0].at, durationMs);
  show();
};
play.addEventListener("click", () => {
  if (startedAt !== null) return stop();
  if (at >= recording.durationMs) at = 0;
  startedAt = performance.now() - at;
  play.textContent = "Pause";
  step();
});
slider.addEventListener("input", () => jump(Number(slider.value)));
load().catch(() => { status.textContent = "The recording cannot be loaded."; });`;

const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

export const replayPolicy = [
  "default-src 'none'",
  `script-src ${hashOf(script)}`,
  `style-src ${hashOf(style)}`,
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join("; ");

export const replayPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Recording of a browser session</title>
<style>${style}</style>
</head>
<body>
<main>
<header>
<h1>Recording</h1>
<p id="where"></p>
<p id="status" role="status"></p>
</header>
<section aria-label="Player">
<img id="picture" alt="The page" width="1280" height="800">
<div class="controls">
<button id="play" disabled>Play</button>
<input id="slider" type="range" min="0" max="1" value="0" step="100" aria-label="Time" disabled>
<output id="clock">0:00 / 0:00</output>
</div>
</section>
<section aria-labelledby="list">
<h2 id="list">Events</h2>
<p id="none" hidden>Nothing was noted.</p>
<ol id="events" tabindex="0" aria-labelledby="list"></ol>
</section>
</main>
<script>${script}</script>
</body>
</html>
`;
