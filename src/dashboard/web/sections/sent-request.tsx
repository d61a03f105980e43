// The two ways to send a request of the activity list again: as it was, or changed in the playground.
import { useNavigate } from "@tanstack/react-router";
import type { AnswerOf } from "../api/queries.ts";
import { ActionButton } from "../parts/form-parts.tsx";
import { type PlayRequest, playState } from "./playground-request.ts";

type Sent = NonNullable<AnswerOf<"readRequest">["sent"]>;

export function SendAgain({ sent }: { sent: Sent }) {
  const navigate = useNavigate();
  const open = (isRun: boolean) =>
    void navigate({ to: "/playground", state: playState({ ...requestOf(sent), isRun }) as never });
  return (
    <>
      {sent.isWhole ? <ActionButton onClick={() => open(true)}>Run again</ActionButton> : null}
      <ActionButton onClick={() => open(false)}>Edit in playground</ActionButton>
    </>
  );
}

/** A form where there is one, else the request itself. */
function requestOf({ form, method, path, body = {} }: Sent): PlayRequest {
  const { origin: _, ...own } = body;
  return form === null
    ? { operation: "request", body: { method, path, body: own } }
    : { operation: form, body: form === "parse" ? ((own.options as PlayRequest["body"]) ?? {}) : own };
}
