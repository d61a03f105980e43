import { expect, it } from "vitest";
import type { NetworkEntry, RenderedPage } from "../../engines/index.ts";
import { network } from "./network.ts";

const entry: NetworkEntry = {
  method: "POST",
  url: "https://shop.example/api?page=1&access_token=open",
  status: 200,
  contentType: "application/json",
  resourceType: "fetch",
  kind: "json",
  size: 46,
  ms: 3,
  requestBody: "user=ada&password=lovelace",
  body: '{"price": 12, "user": {"apiKey": ["k"], "id": 1}}',
  encoding: "utf8",
};
const made = (record: object | undefined) =>
  network.fromPage?.({ network: record } as unknown as RenderedPage, () => "");

it("network is what the visit recorded, with values masked", () => {
  const { kind: _, ...rest } = entry;
  const shown = {
    ...rest,
    url: "https://shop.example/api?page=1&access_token=[masked]",
    requestBody: "user=ada&password=[masked]",
    body: '{"price": 12, "user": {"apiKey": "[masked]", "id": 1}}',
  };
  expect(made({ entries: [entry], leftOut: 0 })).toEqual({ network: [shown] });
});

it("network says when it holds nothing, or not everything", () => {
  expect(made({ entries: [], leftOut: 0 })?.warning).toContain("No response");
  expect(made({ entries: [entry], leftOut: 7 })?.warning).toContain("7");
  expect(made(undefined)).toHaveProperty("warning");
});
