// The way in: a link that works once, an invitation, a passkey, or a name and a password.
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { type CallError, call } from "../api/call.ts";
import { answerByPasskey, hasPasskeys } from "../api/passkeys.ts";
import { returnTo } from "../frame/return-to.ts";
import { ActionButton, InputField, SubmitForm } from "../parts/form-parts.tsx";

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
      window.location.replace(returnTo());
    } catch (failure) {
      setError(failure as CallError);
      setBusy(false);
    }
  }
  return { signIn, error, isBusy };
}

export function SignedOut({ title, children }: { title: string; children: ReactNode }) {
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
  if (isByLink && !error) {
    return (
      <SignedOut title="Signing in">
        <p role="status">One moment.</p>
      </SignedOut>
    );
  }
  return (
    <SignedOut title="Sign in">
      <SubmitForm
        className=""
        action="Sign in"
        isBusy={isBusy}
        error={error}
        onSend={(text) => void signIn({ signInName: text("signInName"), password: text("password") })}
      >
        <InputField label="Name or email" name="signInName" autoComplete="username" required />
        <InputField label="Password" name="password" type="password" autoComplete="current-password" required />
      </SubmitForm>
      {hasPasskeys ? (
        <ActionButton disabled={isBusy} onClick={() => void signIn(async () => ({ passkey: await answerByPasskey() }))}>
          Sign in with a passkey
        </ActionButton>
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
  return (
    <SignedOut title="Join the team">
      <p>You have been invited. Choose the name that the team sees.</p>
      <SubmitForm
        className=""
        action="Join"
        isBusy={isBusy}
        error={error}
        onSend={(text) => void signIn({ link: link.current ?? "", name: text("name") })}
      >
        <InputField label="Your name" name="name" required maxLength={64} autoComplete="name" />
      </SubmitForm>
    </SignedOut>
  );
}
