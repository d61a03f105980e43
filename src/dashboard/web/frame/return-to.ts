// Where a sign-in leads: back to the page that asked for it, which is always one of the dashboard.

const home = "/dashboard";

function isOwn(path: string): boolean {
  return /^\/dashboard(?:[/?]|$)/.test(path) && !/\/\/|[\\\p{Cc}]/u.test(path);
}

/** What the sign-in page was asked to return to. */
export function returnTo(): string {
  const path = new URLSearchParams(window.location.search).get("returnTo") ?? home;
  return isOwn(path) ? path : home;
}

/** The sign-in page, which then leads back here. */
export function signInFirst(): void {
  const { pathname, search } = window.location;
  window.location.replace(`${home}/sign-in?${new URLSearchParams({ returnTo: pathname + search })}`);
}
