// Every open search source, in the order that decides between equals. A test walks this table.
import { arxiv } from "./arxiv.ts";
import { bing } from "./bing.ts";
import { commons } from "./commons.ts";
import { crossref } from "./crossref.ts";
import { duckDuckGo } from "./duckduckgo.ts";
import { europePmc } from "./europe-pmc.ts";
import { federalRegister } from "./federal-register.ts";
import { gdelt } from "./gdelt.ts";
import { github } from "./github.ts";
import { govUk } from "./gov-uk.ts";
import { hackerNews } from "./hacker-news.ts";
import { keenable } from "./keenable.ts";
import { marginalia } from "./marginalia.ts";
import { mdn } from "./mdn.ts";
import { mojeek } from "./mojeek.ts";
import { mwmbl } from "./mwmbl.ts";
import { openAlex } from "./openalex.ts";
import { openverse } from "./openverse.ts";
import { readTheDocs } from "./read-the-docs.ts";
import type { OpenSource } from "./source.ts";
import { stackExchange } from "./stack-exchange.ts";
import { wikidata } from "./wikidata.ts";
import { wikipedia } from "./wikipedia.ts";

export const openSources: readonly OpenSource[] = [
  keenable,
  mwmbl,
  wikipedia,
  wikidata,
  hackerNews,
  stackExchange,
  github,
  readTheDocs,
  arxiv,
  crossref,
  europePmc,
  openAlex,
  gdelt,
  commons,
  openverse,
  govUk,
  federalRegister,
  marginalia,
  duckDuckGo,
  bing,
  mojeek,
  mdn,
];
