// The routes of the dashboard.
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { innerPlaces, sections } from "./frame/sections.tsx";
import { Shell } from "./frame/shell.tsx";
import { Loading } from "./parts/states.tsx";
import { InvitationPage, SignInPage } from "./sections/sign-in.tsx";

const root = createRootRoute();
const signIn = createRoute({ getParentRoute: () => root, path: "/sign-in", component: SignInPage });
const invitation = createRoute({ getParentRoute: () => root, path: "/invitation", component: InvitationPage });
const consent = createRoute({
  getParentRoute: () => root,
  path: "/consent",
  // Loaded late: most people open the dashboard, and few connect an app.
  component: lazyRouteComponent(async () => ({ default: (await import("./sections/app-consent.tsx")).ConsentPage })),
});
const frame = createRoute({ getParentRoute: () => root, id: "frame", component: Shell });

const [first] = sections;
const home = createRoute({
  getParentRoute: () => frame,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: first?.path ?? "/keys" });
  },
});
const places = [...sections, ...innerPlaces].map(({ path, load }) =>
  createRoute({
    getParentRoute: () => frame,
    path,
    component: lazyRouteComponent(async () => ({ default: await load() })),
    pendingComponent: Loading,
  }),
);

export const router = createRouter({
  routeTree: root.addChildren([signIn, invitation, consent, frame.addChildren([home, ...places])]),
  basepath: "/dashboard",
  defaultPreload: "intent",
  defaultPendingComponent: Loading,
});
