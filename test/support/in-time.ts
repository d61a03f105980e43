// For promised deadlines: a test gives five times what is promised, so that it fails for what never ends and for nothing else.

/** What the work returns, or an error when it has not ended by then. */
export async function inTime<Result>(ms: number, work: () => Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it took more than ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}
