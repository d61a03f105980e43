// Ctrl-C: the first one stops the work in good order, the second one leaves at once.

const interruptedCode = 130;

/** Runs the work; `stop` is called with the first interrupt. The process then ends with 130. */
export async function interruptible<Result>(stop: () => void, work: () => Promise<Result>): Promise<Result> {
  let isInterrupted = false;
  const onSignal = () => {
    if (isInterrupted) process.exit(interruptedCode);
    isInterrupted = true;
    process.stderr.write(
      `${process.stderr.isTTY ? "\r\u001b[K" : ""}trawl: Stopping. Press Ctrl-C again to quit at once.\n`,
    );
    stop();
  };
  process.on("SIGINT", onSignal);
  try {
    return await work();
  } finally {
    // Kept after an interrupt: the process is still ending, and the second one must find it.
    if (isInterrupted) process.exitCode = interruptedCode;
    else process.off("SIGINT", onSignal);
  }
}
