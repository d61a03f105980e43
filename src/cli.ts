#!/usr/bin/env node
// The command `trawl`. The rest is loaded once the heap is told to stay small: loading it is most of what a start does.
import "./cli/small-start.ts";

const { run } = await import("./cli/main.ts");
void run(process.argv.slice(2));
