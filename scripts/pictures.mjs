// The pictures of docs/architecture.md, made from the import table and the list of stages, so that they stay true.
import { readFileSync } from "node:fs";
import { box, picture, text } from "./svg.mjs";

/** Files by path. */
export function architecturePictures(root) {
  const rooms = roomsOf(root);
  return {
    "docs/pictures/rooms.svg": roomsPicture(rooms),
    "docs/pictures/page.svg": pagePicture(readFileSync(`${root}src/pages/stages/stages.ts`, "utf8")),
  };
}

/** What each room is, by the heading of its README, and which rooms it may import. */
export function roomsTable(root) {
  const rows = Object.entries(readTable(root)).map(([room, targets]) => {
    const about = room === "index" ? "the door for programs that embed Trawl" : titleOf(root, room);
    const name = room === "index" ? "`index.ts`" : `[${room}](../src/${room}/README.md)`;
    const listed = targets.map((target) => target.replace(":types", " (types)")).join(", ");
    return `| ${name} | ${about} | ${listed || "nothing of ours"} |`;
  });
  return ["| room | what it is | may import |", "| --- | --- | --- |", ...rows].join("\n");
}

function titleOf(root, room) {
  const [, title] = /^# [\w-]+: (.*)$/m.exec(readFileSync(`${root}src/${room}/README.md`, "utf8")) ?? [];
  if (title === undefined) throw new Error(`src/${room}/README.md does not begin with "# ${room}: what it is"`);
  return title;
}

const readTable = (root) => JSON.parse(readFileSync(`${root}test/architecture/rooms.json`, "utf8"));

/** Types count like code: what a room knows of is beneath it. */
function roomsOf(root) {
  const table = readTable(root);
  return Object.fromEntries(
    Object.entries(table).map(([room, targets]) => [room, [...new Set(targets.map((each) => each.split(":")[0]))]]),
  );
}

/** Each room as near to those that import it as it can be; all that it imports are below it. */
function levelsOf(rooms) {
  const height = memo((room) => (rooms[room].length === 0 ? 0 : 1 + Math.max(...rooms[room].map(height))));
  const importers = (room) => Object.keys(rooms).filter((other) => rooms[other].includes(room));
  const level = memo((room) => {
    const above = importers(room);
    return above.length === 0 ? height(room) : Math.min(...above.map(level)) - 1;
  });
  const levels = [];
  for (const room of Object.keys(rooms)) levels[level(room)] = [...(levels[level(room)] ?? []), room];
  return levels.reverse();
}

/** Without imports that others imply. */
function directImports(rooms) {
  const beneath = memo((room) => new Set(rooms[room].flatMap((each) => [each, ...beneath(each)])));
  return Object.entries(rooms).flatMap(([room, targets]) =>
    targets
      .filter((target) => !targets.some((other) => other !== target && beneath(other).has(target)))
      .map((target) => [room, target]),
  );
}

function memo(compute) {
  const known = new Map();
  const read = (key) => {
    if (!known.has(key)) known.set(key, compute(key));
    return known.get(key);
  };
  return read;
}

const size = { width: 100, height: 30, gap: 18, row: 60 };

/** Lines to the next row only: longer ones would run through the boxes between. */
function roomsPicture(rooms) {
  const levels = levelsOf(rooms);
  const rowOf = new Map(levels.flatMap((level, row) => level.map((room) => [room, row])));
  const edges = directImports(rooms).filter(([from, to]) => rowOf.get(to) === rowOf.get(from) + 1);
  const step = size.width + size.gap;
  const width = 32 + Math.max(...levels.map((level) => level.length)) * step - size.gap;
  const leftOf = (level, place) => (width - level.length * step + size.gap) / 2 + place * step;
  const middles = () =>
    new Map(levels.flatMap((level) => level.map((room, place) => [room, leftOf(level, place) + size.width / 2])));
  // Rooms near those that they are tied to, so that few lines cross.
  for (let round = 0; round < 24; round += 1) {
    for (const level of round % 2 === 0 ? levels : levels.toReversed()) {
      const middleOf = middles();
      const wanted = memo((room) => {
        const tied = edges.flatMap(([from, to]) => (from === room ? [to] : to === room ? [from] : []));
        if (tied.length === 0) return middleOf.get(room);
        return tied.reduce((sum, other) => sum + middleOf.get(other), 0) / tied.length;
      });
      level.sort((one, other) => wanted(one) - wanted(other));
    }
  }
  const middleOf = middles();
  const topOf = (room) => 16 + rowOf.get(room) * size.row;
  const lines = edges.map(([from, to]) => {
    const [x1, y1, x2, y2] = [middleOf.get(from), topOf(from) + size.height, middleOf.get(to), topOf(to)];
    const bend = (y2 - y1) / 2;
    return `<path class="line" d="M${x1} ${y1} C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}"/>`;
  });
  const bands = levels.map(
    (_, row) => `<rect class="panel" x="6" y="${10 + row * size.row}" width="${width - 12}" height="42" rx="8"/>`,
  );
  const boxes = [...middleOf].map(([room, middle]) =>
    box(middle - size.width / 2, topOf(room), size.width, size.height, room),
  );
  const height = 32 + (levels.length - 1) * size.row + size.height;
  return picture(width, height, "The rooms of src: each imports rooms of lower rows", [...bands, ...lines, ...boxes]);
}

/** The chains of stages, by the names that traces show. */
function stagesOf(source) {
  const namesOf = (part) => Array.from(part.matchAll(/\.next\("([^"]+)"/g), ([, name]) => name);
  const [, before = "", after = ""] = /const url = ([\s\S]*?);[\s\S]*const file = ([\s\S]*?);/.exec(source) ?? [];
  const document = namesOf(source.slice(source.indexOf("function createDocumentStages")));
  const stages = { url: namesOf(before), file: namesOf(after), document };
  if (Math.min(stages.url.length, stages.file.length, document.length) < 2)
    throw new Error("the list of stages is not found");
  return stages;
}

function pagePicture(source) {
  const { url, file, document } = stagesOf(source);
  const [wide, high, gap] = [124, 34, 26];
  const column = (index) => 24 + index * (wide + gap);
  const perRow = 5;
  const arrow = (x1, y1, x2, y2) => `<path class="line" marker-end="url(#tip)" d="M${x1} ${y1} L${x2} ${y2}"/>`;
  const parts = [];
  const row = (y, names, first) => {
    for (const [index, name] of names.entries()) {
      const x = column(first + index);
      parts.push(box(x, y, wide, high, name));
      if (index > 0) parts.push(arrow(x - gap, y + high / 2, x - 3, y + high / 2));
    }
  };
  const start = (y, label) => {
    parts.push(text(column(0) + wide - 8, y + high / 2 + 5, label, "end strong"));
    parts.push(arrow(column(0) + wide, y + high / 2, column(1) - 3, y + high / 2));
  };
  const [urlRow, fileRow, panel] = [24, 82, 148];
  const record = url.at(-1);
  start(urlRow, "a URL");
  row(urlRow, url.slice(0, -1), 1);
  start(fileRow, "a file");
  row(fileRow, file.slice(0, -1), 1);
  const rows = Math.ceil(document.length / perRow);
  const panelHeight = 40 + rows * (high + gap);
  const width = column(perRow);
  parts.push(`<rect class="panel" x="12" y="${panel}" width="${width - 26}" height="${panelHeight}" rx="10"/>`);
  parts.push(text(24, panel + 22, "from bytes to a document", "soft"));
  const stageY = (index) => panel + 36 + Math.floor(index / perRow) * (high + gap);
  for (let index = 0; index < document.length; index += perRow) {
    row(stageY(index), document.slice(index, index + perRow), 0);
    if (index === 0) continue;
    // On to the next row.
    const y = stageY(index);
    const right = column(perRow - 1) + wide / 2;
    const left = column(0) + wide / 2;
    parts.push(
      `<path class="line" marker-end="url(#tip)" d="M${right} ${y - gap} V${y - gap / 2} H${left} V${y - 3}"/>`,
    );
  }
  const fetchX = column(url.length - 1) + wide / 2;
  parts.push(arrow(fetchX, urlRow + high, fetchX, panel - 3));
  parts.push(text(fetchX + 10, fileRow + 16, "each attempt; a block page", "soft"));
  parts.push(text(fetchX + 10, fileRow + 32, "is why the next is made", "soft"));
  const fileX = column(file.length - 1) + wide / 2;
  parts.push(arrow(fileX, fileRow + high, fileX, panel - 3));
  const end = panel + panelHeight + gap;
  parts.push(box(column(2), end, wide, high, record));
  parts.push(arrow(column(2) + wide / 2, panel + panelHeight, column(2) + wide / 2, end - 3));
  parts.push(arrow(column(2) + wide, end + high / 2, column(3) - 3, end + high / 2));
  parts.push(text(column(3) + 6, end + high / 2 + 5, "the document", "strong"));
  parts.push(text(column(0), end + high / 2 + 5, "charge, copy and traces in one transaction", "soft small"));
  return picture(width, end + high + 20, "The way of a page through its stages", parts);
}
