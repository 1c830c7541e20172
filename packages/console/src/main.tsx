import { isApiError } from "@siteward/sdk";
import { undoOf } from "@siteward/sdk/bulk";
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { advance, noWork, summarize } from "./data/changes.ts";
import { readRoute, useRoute } from "./data/route.ts";
import { type Desk, DeskContext, forgetKey, type Session, signIn, storedKey } from "./data/session.ts";
import { Button, Jump } from "./parts/parts.tsx";
import { AddScreen } from "./screens/add-screen.tsx";
import { EditScreen } from "./screens/edit-screen.tsx";
import { SignIn } from "./screens/sign-in.tsx";
import { WebsitesScreen } from "./screens/websites-screen.tsx";
import { say } from "./words/text.ts";

/** What a key that stops working does not take away. Another account has nothing of it. */
const nothing = { account: "", work: noWork, notice: { text: "", path: "" } };
type Kept = typeof nothing;

function App() {
  const [session, setSession] = useState<Session>();
  const [kept, setKept] = useState(nothing);
  const [isStarting, setStarting] = useState(true);
  const [fault, setFault] = useState("");
  const leave = (reason = "") => {
    setFault(reason);
    forgetKey();
    setSession(undefined);
    document.title = "Siteward";
  };
  const start = async (key: string) => {
    try {
      const opened = await signIn(key, leave);
      setKept((now) => (now.account === opened.account ? now : { ...nothing, account: opened.account }));
      setSession(opened);
      setFault("");
    } catch (error) {
      // The key of a server that cannot be reached is kept. A key that is refused has said so.
      if (!isApiError(error, "unauthenticated")) setFault(say(error));
    }
  };
  useEffect(() => {
    const key = storedKey();
    void (key === null ? Promise.resolve() : start(key)).finally(() => setStarting(false));
  }, []);
  if (session !== undefined) {
    // A run may end after its session.
    const keep = (change: (kept: Kept) => Kept) =>
      setKept((now) => (now.account === session.account ? change(now) : now));
    return <Console session={session} kept={kept} onKeep={keep} onLeave={() => leave()} />;
  }
  if (!isStarting) return <SignIn fault={fault} onKey={start} />;
  return <main class="page">Loading …</main>;
}

interface ConsoleProps {
  readonly session: Session;
  readonly kept: Kept;
  readonly onKeep: (change: (kept: Kept) => Kept) => void;
  readonly onLeave: () => void;
}

function Console({ session, kept, onKeep, onLeave }: ConsoleProps) {
  const route = useRoute();
  const desk: Desk = {
    ...session,
    work: kept.work,
    pick: (picked) => onKeep((now) => ({ ...now, work: { ...now.work, picked } })),
    notify: (text, path = readRoute().path) => onKeep((now) => ({ ...now, notice: { text, path } })),
    finish: (verb, run, isMore = false) =>
      onKeep(({ work, ...now }) => {
        const text = summarize(run, verb, verb === "restored" ? undoOf(work.made) : undefined);
        return { ...now, work: advance(work, verb, run, isMore), notice: { text, path: readRoute().path } };
      }),
  };
  // A notice goes with its screen.
  const notice = kept.notice.path === route.path ? kept.notice.text : "";
  const id = /^\/websites\/(\d+)$/.exec(route.path)?.[1];
  const isAdding = route.path === "/add" && session.mayWrite;
  return (
    <DeskContext.Provider value={desk}>
      <Jump class="skip" to="title">
        Skip to content
      </Jump>
      <header class="row bar">
        <a class="brand" href="#/">
          Siteward
        </a>
        <span class="count">{session.name}</span>
        <nav class="row bare" aria-label="Console">
          <a href="docs">API</a>
          <Button label="Forget key" onClick={onLeave} />
        </nav>
      </header>
      <main class="page" id="main">
        <p class="notice" role="status" hidden={notice === ""}>
          {notice}
        </p>
        {!session.mayWrite && (
          <p class="help">This API key can only read. To change websites, use one with websites:write.</p>
        )}
        {id !== undefined && <EditScreen key={id} id={Number(id)} />}
        {id === undefined && isAdding && <AddScreen />}
        {id === undefined && !isAdding && <WebsitesScreen route={route} />}
      </main>
    </DeskContext.Provider>
  );
}

const root = document.getElementById("console");
if (root !== null) render(<App />, root);
