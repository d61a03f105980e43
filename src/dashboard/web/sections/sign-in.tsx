// The way in: a link that works once, an invitation, a passkey, or a name and a password.
import { useQuery, useQueryClient } from "@tanstack/react-query";
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

interface Methods {
  password: boolean;
  passkey: boolean;
  oidc: { name: string } | null;
}

const ownMethods: Methods = { password: true, passkey: true, oidc: null };

/** Said in our words: nothing that the identity provider wrote is shown. */
const providerFaults: Readonly<Record<string, string>> = {
  oidc_failed: "Your identity provider could not be asked, or its answer was not valid. Try again, or tell an owner.",
  oidc_refused: "Your account may not sign in here. Ask an owner of the team.",
  oidc_expired: "This sign-in took too long or was used before. Start again.",
};

function useMethods(): Methods {
  const { data } = useQuery({
    queryKey: ["sign-in methods"],
    queryFn: () => call<Methods>("GET", "/dashboard/api/sign-in/methods"),
  });
  return data ?? ownMethods;
}

export function SignInPage() {
  const { signIn, error, isBusy } = useSignIn();
  const methods = useMethods();
  const fault = providerFaults[new URLSearchParams(window.location.search).get("error") ?? ""];
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
      {fault ? <p role="alert">{fault}</p> : null}
      {methods.oidc ? (
        <a className="button" href="/dashboard/sign-in/oidc">
          Sign in with {methods.oidc.name}
        </a>
      ) : null}
      {methods.password ? (
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
      ) : null}
      {hasPasskeys && methods.passkey ? (
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
