// Calls of this origin's API. The session is in a cookie that scripts cannot see; what changes something also carries the
// session's token.

export class CallError extends Error {
  readonly status: number;
  readonly code: string;
  /** The first field that was wrong, if any. */
  readonly field: string | null;
  readonly details: unknown;

  constructor(status: number, code: string, message: string, field: string | null, details?: unknown) {
    super(message);
    this.details = details;
    this.status = status;
    this.code = code;
    this.field = field;
  }
}

interface Failure {
  error?: string;
  code?: string;
  details?: unknown;
}

interface Issue {
  path?: (string | number)[];
  message?: string;
}

let csrf = "";

export function setCsrf(token: string): void {
  csrf = token;
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The response as JSON; throws CallError with the sentence that the server gives. */
export async function call<AnswerOf>(
  method: Method,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<AnswerOf> {
  const response = await send(method, path, body, signal);
  return (await response.json()) as AnswerOf;
}

async function send(method: Method, path: string, body: unknown, signal: AbortSignal | undefined): Promise<Response> {
  const isForm = body instanceof FormData;
  let response: Response;
  try {
    response = await window.fetch(path, {
      method,
      credentials: "same-origin",
      headers: {
        ...(method === "GET" ? {} : { "x-trawl-csrf": csrf }),
        ...(body === undefined || isForm ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new CallError(0, "UNREACHABLE", "The server does not answer. Check that it is running.", null);
  }
  if (!response.ok) throw await failureOf(response);
  return response;
}

async function failureOf(response: Response): Promise<CallError> {
  const { error, code = "", details }: Failure = await response.json().catch(() => ({}));
  const [issue] = Array.isArray(details) ? (details as Issue[]) : [];
  const field = issue?.path?.join(".") || null;
  const message = issue?.message ? `${field ? `${field}: ` : ""}${issue.message}` : error;
  return new CallError(response.status, code, message ?? `The server answered ${response.status}.`, field, details);
}
