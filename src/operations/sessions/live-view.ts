// People who watch a session, and those who take part. One screencast serves all watchers of a session; it runs while there
// are any.
import { ServiceError } from "../../base/index.ts";
import type { LiveViewInput } from "../../contract/index.ts";
import { type BrowserSession, type PageQuestion, type Screencast, startScreencast } from "../../engines/index.ts";
import type { OperationParts } from "../parts/operation-parts.ts";
import type { SessionKeeper } from "./session-keeper.ts";

export interface Watcher {
  /** A JPEG of the page as it is now. */
  onFrame(picture: Buffer): void;
  onPage(page: { url: string; title: string }): void;
  /** What the page asks; null when it has been answered. */
  onQuestion(question: PageQuestion | null): void;
  /** The session is over. */
  onEnd(): void;
}

export interface LiveView {
  /** Answers the function that ends the watching. */
  watch(watcher: Watcher): () => void;
  /** Null for those who may only watch. */
  input: ((input: LiveViewInput) => Promise<void>) | null;
}

interface Cast {
  watchers: Set<Watcher>;
  starting: Promise<Screencast>;
  latestFrame: Buffer | null;
  latestPage: { url: string; title: string } | null;
  question: PageQuestion | null;
  /** Watchers who can answer. */
  participants: Set<Watcher>;
  pageId(): string | null;
}

const maxWatchers = 20;

export function createLiveViews({ log }: OperationParts, keeper: SessionKeeper) {
  const casts = new Map<BrowserSession, Cast>();

  function start(browser: BrowserSession): Cast {
    const watchers = new Set<Watcher>();
    const cast: Cast = {
      watchers,
      latestFrame: null,
      latestPage: null,
      question: null,
      participants: new Set(),
      pageId: () => null,
      starting: browser.connect().then((client) => {
        void client.closed.then(() => end(browser, cast));
        return startScreencast(client, {
          onFrame(picture) {
            cast.latestFrame = picture;
            for (const watcher of watchers) watcher.onFrame(picture);
          },
          onPage(page) {
            cast.latestPage = page;
            for (const watcher of watchers) watcher.onPage(page);
          },
          onQuestion(question) {
            cast.question = question;
            for (const watcher of watchers) watcher.onQuestion(question);
          },
        });
      }),
    };
    browser.attend(() => (cast.participants.size > 0 ? cast.pageId() : null));
    cast.starting.then(
      (screencast) => {
        cast.pageId = () => screencast.pageId;
      },
      () => undefined,
    );
    cast.starting.catch((error: unknown) => {
      log.warn({ err: error }, "a session cannot be watched");
      end(browser, cast);
    });
    return cast;
  }

  function end(browser: BrowserSession, cast: Cast): void {
    if (casts.get(browser) === cast) casts.delete(browser);
    for (const watcher of cast.watchers) watcher.onEnd();
    cast.watchers.clear();
    cast.participants.clear();
  }

  function watch(browser: BrowserSession, watcher: Watcher, takesPart: boolean): () => void {
    const cast = casts.get(browser) ?? start(browser);
    if (cast.watchers.size >= maxWatchers) {
      throw new ServiceError("SESSION_LIMIT", `A session has at most ${maxWatchers} watchers.`);
    }
    casts.set(browser, cast);
    cast.watchers.add(watcher);
    if (cast.latestPage) watcher.onPage(cast.latestPage);
    if (cast.latestFrame) watcher.onFrame(cast.latestFrame);
    if (cast.question) watcher.onQuestion(cast.question);
    if (takesPart) cast.participants.add(watcher);
    return () => {
      cast.watchers.delete(watcher);
      cast.participants.delete(watcher);
      if (cast.watchers.size > 0 || casts.get(browser) !== cast) return;
      casts.delete(browser);
      cast.starting.then((screencast) => screencast.close()).catch(() => undefined);
    };
  }

  return {
    /** Throws when the token does not open this view of the session, wherever its browser is. */
    async check(id: string, token: string, takesPart: boolean): Promise<void> {
      const session = await keeper.admit(id, takesPart ? "control" : "view", token);
      if (!session.hasView) throw new ServiceError("SESSION_NOT_FOUND");
    },

    /** Throws when the token does not open this view of the session, or its browser is not here. */
    async open(id: string, token: string, takesPart: boolean): Promise<LiveView> {
      const { session, browser } = await keeper.enter(id, takesPart ? "control" : "view", token);
      if (!session.hasView) throw new ServiceError("SESSION_NOT_FOUND");
      return {
        watch: (watcher) => watch(browser, watcher, takesPart),
        input: takesPart
          ? async (input) => {
              keeper.touch(session.id);
              await (await casts.get(browser)?.starting)?.input(input);
            }
          : null,
      };
    },
  };
}
