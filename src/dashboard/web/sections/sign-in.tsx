// The way in: a link that works once, an invitation, a passkey, or a name and a password.
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { type CallError, call } from "../api/call.ts";
import { answerByPasskey, hasPasskeys } from "../api/passkeys.ts";
import { Field } from "../parts/common-parts.tsx";
import { ChangeProblem } from "../parts/states.tsx";

type SignIn =
  | { link: string; name?: string }
  | { signInName: string; password: string }
  | { passkey: Awaited<ReturnType<typeof answerByPasskey>> };

/** The secret of a link is its fragment. It leaves the address bar at once, so that a used link is not copied. */
function takeSecret(): string | null {
  const secret = window.location.hash.slice(1);
  if (secret === "") return null;
  window.history.replaceState(null, "", window.location.pathname);
  return secret;
}

function useSignIn() {
  const client = useQueryClient();
  const [error, setError] = useState<CallError | null>(null);
  const [isBusy, setBusy] = useState(false);
  async function signIn(given: SignIn | (() => Promise<SignIn>)): Promise<void> {
    setBusy(true);
    setError(null);
    try {
      await call("POST", "/dashboard/api/sign-in", typeof given === "function" ? await given() : given);
      // Nothing of an earlier session stays in memory.
      client.clear();
      window.location.replace("/dashboard");
    } catch (failure) {
      setError(failure as CallError);
      setBusy(false);
    }
  }
  return { signIn, error, isBusy };
}

function SignedOut({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Trawl`;
  }, [title]);
  return (
    <main className="signed-out">
      <div className="signed-out-card">
        <span className="brand">
          <img src="/dashboard/icon.svg" alt="" />
          Trawl
        </span>
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}

export function SignInPage() {
  const { signIn, error, isBusy } = useSignIn();
  const isStarted = useRef(false);
  const [isByLink, setByLink] = useState(false);
  useEffect(() => {
    // Effects may run twice while a page is developed; a link works once.
    if (isStarted.current) return;
    isStarted.current = true;
    const link = takeSecret();
    if (link === null) return;
    setByLink(true);
    void signIn({ link });
  });
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    void signIn({ signInName: String(data.get("signInName")), password: String(data.get("password")) });
  }
  if (isByLink && !error) {
    return (
      <SignedOut title="Signing in">
        <p role="status">One moment.</p>
      </SignedOut>
    );
  }
  return (
    <SignedOut title="Sign in">
      <ChangeProblem error={error} />
      <form className="stack" onSubmit={submit}>
        <Field label="Name or email">
          {(ids) => <input {...ids} name="signInName" className="input" autoComplete="username" required />}
        </Field>
        <Field label="Password">
          {(ids) => (
            <input
              {...ids}
              name="password"
              className="input"
              type="password"
              autoComplete="current-password"
              required
            />
          )}
        </Field>
        <button type="submit" className="button primary" disabled={isBusy}>
          Sign in
        </button>
      </form>
      {hasPasskeys ? (
        <button
          type="button"
          className="button"
          disabled={isBusy}
          onClick={() => void signIn(async () => ({ passkey: await answerByPasskey() }))}
        >
          Sign in with a passkey
        </button>
      ) : null}
      <p>
        No password yet? Run <code>trawl dashboard-link</code> on the server: it prints a link that signs you in.
      </p>
    </SignedOut>
  );
}

export function InvitationPage() {
  const { signIn, error, isBusy } = useSignIn();
  const link = useRef<string | null>(null);
  useEffect(() => {
    link.current ??= takeSecret();
  }, []);
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get("name"));
    void signIn({ link: link.current ?? "", name });
  }
  return (
    <SignedOut title="Join the team">
      <p>You have been invited. Choose the name that the team sees.</p>
      <form className="stack" onSubmit={submit}>
        <Field label="Your name">
          {(ids) => <input {...ids} name="name" className="input" required maxLength={64} autoComplete="name" />}
        </Field>
        <ChangeProblem error={error} />
        <button type="submit" className="button primary" disabled={isBusy}>
          Join
        </button>
      </form>
    </SignedOut>
  );
}
