// A failure as a tool's answer: what is wrong, with which field, and what to do.

interface Failure {
  status?: number;
  code?: string;
  message?: string;
  details?: unknown;
}

const remedies: Record<number, string> = {
  0: "Check that the server runs and that its URL is right.",
  401: "Check the API key.",
  402: "The team has too few credits left. Ask its operator.",
  403: "Do not try this URL again; use another source.",
  404: "Check the ID or the URL; map and activity list what exists.",
  408: "Try again with a larger timeout, or a simpler request.",
  409: "Look at its status first.",
  429: "Wait a little, then try again.",
  501: "This server cannot do that; use another tool.",
  503: "Wait a little, then try again.",
};

export function toolFailure(error: unknown): string {
  const { status, code, message = String(error), details } = (error ?? {}) as Failure;
  const issues = Array.isArray(details) ? (details as { path?: unknown[]; message?: string }[]) : [];
  const fields = issues
    .slice(0, 5)
    .flatMap(({ path = [], message: problem }) =>
      problem ? [[path.join("."), problem].filter(Boolean).join(": ")] : [],
    );
  const cause = fields.length > 0 ? `${message} ${fields.join("; ")}` : message;
  const remedy =
    status === undefined
      ? ""
      : (remedies[status] ?? (status >= 500 ? "Try again once; then use another source." : "Correct the arguments."));
  return [code ? `${cause} (${code})` : cause, remedy].filter(Boolean).join(" ");
}
