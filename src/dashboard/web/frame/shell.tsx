// The frame around every section: navigation, the team in view, the way out, and the command palette.
import { useQueryClient } from "@tanstack/react-query";
import { Link, Outlet, useLocation } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { call } from "../api/call.ts";
import { type Session, useSession } from "../api/queries.ts";
import { ActionButton, Choice } from "../parts/form-parts.tsx";
import { Failure, Loading } from "../parts/states.tsx";
import { SignInPage } from "../sections/sign-in.tsx";
import { CommandPalette } from "./command-palette.tsx";
import { Icon } from "./icon.tsx";
import { groups, sections } from "./sections.tsx";
import { themes, useTheme } from "./theme.ts";

export function Shell() {
  const session = useSession();
  if (session.data) return <Frame session={session.data} />;
  if (session.error?.status === 401) return <SignInPage />;
  if (session.error) return <Failure error={session.error} retry={() => void session.refetch()} />;
  return <Loading />;
}

function Frame({ session }: { session: Session }) {
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const [theme, setTheme] = useTheme();
  const { pathname } = useLocation();
  const client = useQueryClient();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes when the place changes
  useEffect(() => setMenuOpen(false), [pathname]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setPaletteOpen((isOpen) => !isOpen);
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);

  async function signOut() {
    await call("POST", "/dashboard/api/sign-out", {});
    client.clear();
    window.location.replace("/dashboard/sign-in");
  }
  async function switchTeam(teamId: string) {
    await call("POST", "/dashboard/api/session/team", { teamId });
    client.clear();
    window.location.assign("/dashboard");
  }

  return (
    <div className="frame">
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <div className="top-bar">
        <Link to="/" className="brand">
          <img src="/dashboard/icon.svg" alt="" />
          Trawl
        </Link>
        <ActionButton aria-expanded={isMenuOpen} onClick={() => setMenuOpen(!isMenuOpen)}>
          Menu
        </ActionButton>
      </div>
      <div className="side" data-open={isMenuOpen}>
        <Link to="/" className="brand">
          <img src="/dashboard/icon.svg" alt="" />
          Trawl
        </Link>
        <button type="button" className="search-button" onClick={() => setPaletteOpen(true)}>
          Go to …<kbd>Ctrl K</kbd>
        </button>
        <Sections />
        <div className="side-foot">
          {session.teams.length > 1 ? (
            <Choice
              label="Team"
              values={session.teams.map(({ id }) => id)}
              chosen={session.team.id}
              onChoose={(id) => void switchTeam(id)}
              nameOf={(id) => session.teams.find((team) => team.id === id)?.name ?? id}
            />
          ) : null}
          <Choice
            label="Theme"
            values={themes}
            chosen={theme}
            onChoose={setTheme}
            nameOf={(each) => `${each[0]?.toUpperCase()}${each.slice(1)} theme`}
          />
          <p className="who">
            {session.person ? `${session.person.name}, ` : "Open mode, "}
            team {session.team.name}
            <br />
            Trawl {session.version} · <a href="/docs">Docs</a>
          </p>
          {session.person ? <ActionButton onClick={() => void signOut()}>Sign out</ActionButton> : null}
        </div>
      </div>
      <main id="content" className="content" tabIndex={-1}>
        <Outlet />
      </main>
      {isPaletteOpen ? (
        <CommandPalette
          onClose={() => setPaletteOpen(false)}
          extra={[
            ...themes.map((each) => ({ name: `Theme: ${each}`, hint: "Look", run: () => setTheme(each) })),
            ...(session.person ? [{ name: "Sign out", hint: "Session", run: () => void signOut() }] : []),
          ]}
        />
      ) : null}
    </div>
  );
}

function Sections() {
  return (
    <nav aria-label="Sections">
      {groups.map((group) => {
        const list = sections.filter((section) => section.group === group);
        return list.length === 0 ? null : (
          <div className="nav-group" key={group}>
            <p className="nav-title">{group}</p>
            <ul>
              {list.map(({ name, path, icon }) => (
                <li key={path}>
                  <Link to={path} className="nav-link" activeOptions={{ exact: path === "/" }}>
                    <Icon path={icon} />
                    {name}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </nav>
  );
}
