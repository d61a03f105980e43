// What is on the server, as the page keeps it: read once, shown everywhere, read again when something changed it.
import { type QueryClient, type UseQueryResult, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type {
  DashboardOperationName,
  DashboardOutput,
  OperationName,
  OperationOutput,
} from "../../../contract/index.ts";
import { type CallError, call, setCsrf } from "./call.ts";

/** What an operation answers, of the API or of the dashboard's own rows. */
export type AnswerOf<Name> = Name extends DashboardOperationName
  ? DashboardOutput<Name>
  : Name extends OperationName
    ? OperationOutput<Name>
    : never;

interface ReadOptions {
  /** Read again this often while somebody looks. */
  everyMs?: number;
  isOff?: boolean;
}

/** One operation's answer; its path is its name in the page's memory. */
export function useRead<Name extends DashboardOperationName | OperationName>(
  path: string,
  { everyMs, isOff = false }: ReadOptions = {},
): UseQueryResult<AnswerOf<Name>, CallError> {
  return useQuery<AnswerOf<Name>, CallError>({
    queryKey: [path],
    queryFn: ({ signal }) => call<AnswerOf<Name>>("GET", path, undefined, signal),
    enabled: !isOff,
    ...(everyMs ? { refetchInterval: everyMs } : {}),
  });
}

/** Something that changes the server; afterwards everything that begins with one of the paths is read again. */
export function useChange<Input, Name extends DashboardOperationName | OperationName>(
  run: (input: Input) => Promise<AnswerOf<Name>>,
  stale: readonly string[],
) {
  const client = useQueryClient();
  return useMutation<AnswerOf<Name>, CallError, Input>({
    mutationFn: run,
    onSuccess: () => forget(client, stale),
  });
}

/** Everything whose path begins with one of these is read again when it is shown. */
export function forget(client: QueryClient, paths: readonly string[]): Promise<void> {
  return client.invalidateQueries({
    predicate: ({ queryKey: [path] }) => typeof path === "string" && paths.some((start) => path.startsWith(start)),
  });
}

export type Session = AnswerOf<"readSession">;

/** Who is signed in. The secret behind the cookie changes with the hours, and the token with it. */
export function useSession(): UseQueryResult<Session, CallError> {
  return useQuery<Session, CallError>({
    queryKey: ["session"],
    queryFn: async ({ signal }) => {
      const session = await call<Session>("GET", "/dashboard/api/session", undefined, signal);
      setCsrf(session.csrf);
      return session;
    },
    retry: false,
    refetchInterval: 20 * 60_000,
    refetchOnWindowFocus: true,
  });
}
