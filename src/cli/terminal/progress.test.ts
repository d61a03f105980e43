import { expect, it } from "vitest";
import { createProgress } from "./progress.ts";

const clear = "\r\u001b[K";

/** What is written, by a clock that the test moves. */
function watch(screen: { isTTY?: boolean; columns?: number }) {
  let ms = 0;
  let text = "";
  const write = (more: string) => {
    text += more;
  };
  const progress = createProgress({ ...screen, write }, () => ms);
  return {
    progress,
    later(seconds: number) {
      ms += seconds * 1000;
    },
    written() {
      const written = text;
      text = "";
      return written;
    },
  };
}

it("on a terminal one line is overwritten: pages, speed, errors, time left, host", () => {
  const { progress, later, written } = watch({ isTTY: true, columns: 80 });
  progress.show({ total: 10, host: "example.com" });
  expect(written()).toBe(`${clear}0 of 10 pages, example.com`);
  later(2);
  progress.show({ written: 2 });
  expect(written()).toBe(`${clear}2 of 10 pages, 1.0/s, 8 s left, example.com`);
  progress.show({ failed: 1, host: "other.example" });
  expect(written()).toBe(`${clear}2 of 10 pages, 1.0/s, 1 error, 7 s left, other.example`);
  later(198);
  progress.show({ written: 4, failed: 2, total: 40 });
  expect(written()).toBe(`${clear}4 of 40 pages, 0.0/s, 2 errors, 29 min left, other.example`);
  progress.show({ status: "completed", written: 10, total: 10 });
  written();
  progress.end(2, 1);
  expect(written()).toBe(`${clear}completed: 10 of 10 pages, 2 failed, 1 disallowed by robots.txt\n`);
});

it("never takes a second line, whatever a page calls its host", () => {
  const { progress, written } = watch({ isTTY: true, columns: 30 });
  progress.show({ total: 5, host: "a\u001b[31m\nb".repeat(10) });
  expect(written().slice(clear.length)).toMatch(/^0 of 5 pages, [^\p{C}]{15}$/u);
});

it.each([0, undefined])("a terminal that does not know its width (%s) is taken to be as wide as usual", (columns) => {
  const { progress, written } = watch({ isTTY: true, ...(columns === undefined ? {} : { columns }) });
  progress.show({ total: 5, host: "example.com" });
  expect(written()).toBe(`${clear}0 of 5 pages, example.com`);
});

it("elsewhere a plain line every five seconds, and the count at the end", () => {
  const { progress, later, written } = watch({});
  expect(progress.isDue()).toBe(false);
  progress.show({ total: 3, written: 1 });
  later(4);
  progress.show({ written: 2 });
  expect(written()).toBe("");
  later(1);
  expect(progress.isDue()).toBe(true);
  progress.show({});
  progress.end(0, 0);
  expect(written()).toBe("scraping: 2 of 3 pages\nscraping: 2 of 3 pages\n");
});
