#!/usr/bin/env node
// The `trawl` command. The rest is imported after the heap is told to stay small: loading it is most of the startup.
import "./cli/service/small-start.ts";

const { run } = await import("./cli/command/run-command.ts");
void run(process.argv.slice(2));
