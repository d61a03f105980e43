// A caller's JavaScript. The inspector's REPL mode lets it await at the top level and gives the value of its last expression;
// a program that ends in `return` is taken as the body of a function.
import { Session as Inspector, type Runtime } from "node:inspector";
import { createRequire } from "node:module";
import type { ProgramSession } from "./program-session.ts";
import type { ProcessAnswer } from "./work.ts";

type Evaluation = Runtime.EvaluateReturnType;

export async function runCode(code: string, { page, context, browser }: ProgramSession): Promise<ProcessAnswer> {
  const inspector = new Inspector();
  inspector.connect();
  Object.assign(globalThis, { page, context, browser, require: createRequire(import.meta.url) });
  const post = (method: string, params: object): Promise<Evaluation> =>
    new Promise((done, fail) => {
      inspector.post(method, params, (error, answer) => (error ? fail(error) : done(answer as Evaluation)));
    });

  let answer = await post("Runtime.evaluate", { expression: code, replMode: true, awaitPromise: true });
  if (/^SyntaxError: Illegal return/.test(answer.exceptionDetails?.exception?.description ?? "")) {
    answer = await post("Runtime.evaluate", { expression: `(async () => {\n${code}\n})()`, awaitPromise: true });
  }
  // A promise that is the last value is not awaited by REPL mode.
  if (answer.exceptionDetails === undefined && answer.result.subtype === "promise") {
    answer = await post("Runtime.awaitPromise", { promiseObjectId: answer.result.objectId });
  }
  if (answer.exceptionDetails !== undefined) {
    process.stderr.write(`${describe(answer.exceptionDetails)}\n`);
    process.exitCode ||= 1;
    return {};
  }
  return asResult(answer.result, post);
}

/** Strings as they are, everything else as JSON where it can be written so. */
async function asResult(
  value: Runtime.RemoteObject,
  post: (method: string, params: object) => Promise<Evaluation>,
): Promise<ProcessAnswer> {
  if (value.type === "undefined") return {};
  if (value.objectId === undefined || value.type === "symbol") {
    return { result: String(value.unserializableValue ?? value.value ?? value.description ?? null) };
  }
  const written = await post("Runtime.callFunctionOn", {
    objectId: value.objectId,
    functionDeclaration: "function () { return JSON.stringify(this); }",
    returnByValue: true,
  });
  const text = written.exceptionDetails === undefined ? written.result.value : undefined;
  return { result: typeof text === "string" ? text : (value.description ?? value.type) };
}

/** Without the frames of this file, which tell a caller nothing. */
function describe({ exception, text }: Runtime.ExceptionDetails): string {
  const whole = exception?.description ?? (exception === undefined ? text : `Uncaught ${String(exception.value)}`);
  return whole.replace(/\n\s+at Session\.post \(node:inspector[\s\S]*$/, "");
}
