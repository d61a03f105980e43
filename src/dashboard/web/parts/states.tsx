// What a section shows when there is nothing to show: not yet, nothing there, or something went wrong.
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { CallError } from "../api/call.ts";

export function Loading() {
  return (
    <div className="bones" role="status" aria-label="Loading">
      <div className="bone" />
      <div className="bone" />
      <div className="bone" />
    </div>
  );
}

export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="state">
      <h2>{title}</h2>
      {children ? <p>{children}</p> : null}
    </div>
  );
}

export function Failure({ error, retry }: { error: CallError; retry?: () => void }) {
  return (
    <div className="state failure" role="alert">
      <h2>This could not be loaded</h2>
      <p>{error.message}</p>
      {retry ? (
        <button type="button" className="button" onClick={retry}>
          Try again
        </button>
      ) : null}
    </div>
  );
}

/** One of the states, or the content once it is there. */
export function Loaded<Data>({
  of,
  children,
}: {
  of: UseQueryResult<Data, CallError>;
  children: (data: Data) => ReactNode;
}) {
  if (of.data !== undefined) return <>{children(of.data)}</>;
  if (of.error) return <Failure error={of.error} retry={() => void of.refetch()} />;
  return <Loading />;
}

/** The sentence of a failed change, beside what was tried. */
export function ChangeProblem({ error }: { error: CallError | null }) {
  if (!error) return null;
  return (
    <p className="notice bad" role="alert">
      {error.message}
    </p>
  );
}
