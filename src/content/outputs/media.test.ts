// Audio and video of a page, and the text of their captions.
import { expect, it } from "vitest";
import { noFormats, readPage } from "../../../test/support/content.ts";
import { captionText } from "./captions.ts";

const mediaOf = (body: string) => readPage(body, { formats: { ...noFormats, audio: true, video: true } });

it("are what the page plays, describes, shows in a player and links, each once and the surest first", () => {
  const { videos, audios, video, audio } =
    mediaOf(`<head><meta property="og:video" content="/share.mp4"><meta property="og:title" content="Tides">
    <meta property="og:video:duration" content="61">
    <script type="application/ld+json">{"@graph":[{"@type":"VideoObject","name":"The harbour","contentUrl":"https://cdn.test/h.webm",
      "duration":"PT1H2M3S","thumbnailUrl":["/h.jpg"],"transcript":"The tide rises.","inLanguage":"en"},
      {"@type":"PodcastEpisode","name":"Ep 1","associatedMedia":{"@type":"AudioObject","contentUrl":"/ep1.mp3","duration":"2:05"}}]}</script></head>
    <body><a href="/film.MP4?x=1">The <b>film</b></a> <a href="/page.html">no</a> <a href="/talk.ogg">Talk</a>
    <video poster="p.jpg" title="Ferry"><source src="ferry.webm" type="video/webm; codecs=vp9"><source src="ferry.mp4">
      <track kind="captions" src="/en.vtt" srclang="en" label="English"><track kind="metadata" src="/m.vtt"></video>
    <iframe src="https://www.youtube-nocookie.com/embed/abc123" title="On YouTube"></iframe>
    <iframe src="https://ads.test/frame"></iframe><iframe data-src="https://open.spotify.com/embed/episode/1"></iframe>
    <video src="blob:https://site.test/1"></video><audio src="/talk.ogg"></audio></body>`);
  expect([video, audio]).toEqual(["https://site.test/ferry.webm", "https://site.test/talk.ogg"]);
  expect(videos).toEqual([
    {
      url: "https://site.test/ferry.webm",
      type: "video/webm",
      title: "Ferry",
      poster: "https://site.test/p.jpg",
      captions: [{ url: "https://site.test/en.vtt", kind: "captions", language: "en", label: "English" }],
    },
    {
      url: "https://cdn.test/h.webm",
      type: "video/webm",
      title: "The harbour",
      duration: 3723,
      poster: "https://site.test/h.jpg",
      captions: [{ kind: "transcript", language: "en", text: "The tide rises." }],
    },
    { url: "https://site.test/share.mp4", type: "video/mp4", title: "Tides", duration: 61 },
    { url: "https://www.youtube-nocookie.com/embed/abc123", type: "text/html", title: "On YouTube" },
    { url: "https://site.test/film.MP4?x=1", type: "video/mp4", title: "The film" },
  ]);
  expect(audios).toEqual([
    { url: "https://site.test/talk.ogg", type: "audio/ogg", title: "Talk" },
    { url: "https://site.test/ep1.mp3", type: "audio/mpeg", duration: 125 },
    { url: "https://open.spotify.com/embed/episode/1", type: "text/html" },
  ]);
});

it("are an empty list on a page without any, and bounded where there are too many", () => {
  expect(mediaOf("<p>Text</p>")).toMatchObject({ audios: [], videos: [] });
  const { videos } = mediaOf(Array.from({ length: 5000 }, (_, n) => `<video src="/${n}.mp4"></video>`).join(""));
  expect(videos).toHaveLength(200);
  const deep = `${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`;
  expect(mediaOf(`<script type="application/ld+json">${deep}</script>`).videos).toEqual([]);
});

it.each([
  [
    "WEBVTT\n\nNOTE no\n\nSTYLE\n::cue{}\n\n1\n00:01.000 --> 00:02.000 line:0\n<v Ann>Hello &amp; <i>welcome</i>\n\n00:02.000 --> 00:03.000\nHello & welcome\nall\n",
    "Hello & welcome\nall",
  ],
  [
    "1\r\n00:00:01,000 --> 00:00:02,000\r\n{\\an8}Ahoy\r\n\r\n2\r\n00:00:03,000 --> 00:00:04,000\r\nWho goes\r\n",
    "Ahoy\nWho goes",
  ],
  ["<html>not captions</html>", ""],
  ["", ""],
])("captions %j say %j", (file, text) => expect(captionText(file)).toBe(text));
