import { expect, it } from "vitest";
import { maxUrlLength } from "../../base/index.ts";
import { createSitePages } from "../../discovery/index.ts";
import { createLinkList } from "./link-list.ts";

it("lists URLs as long as endpoints take, and no longer ones", async () => {
  const pageOf = createSitePages(new URL("https://a.test/"), { includeSubdomains: false, below: "/" });
  const options = { pageOf, ignoreQueryParameters: false, includePaths: [], excludePaths: [], capacity: 10 };
  const list = await createLinkList(options, new AbortController().signal);
  const longest = "https://a.test/".padEnd(maxUrlLength, "x");
  await list.add([longest, `${longest}y`, `${longest}z`].map((url) => ({ url })));
  expect(list.links).toEqual([{ url: longest }]);
});
