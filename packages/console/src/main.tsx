import { isApiError } from "@siteward/sdk";
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { AddScreen } from "./add-screen.tsx";
import { EditScreen } from "./edit-screen.tsx";
import { Button, Jump } from "./parts.tsx";
import { readRoute, useRoute } from "./route.ts";
import { forgetKey, type Session, signIn, storedKey } from "./session.ts";
import { SignIn } from "./sign-in.tsx";
import { WebsitesScreen, type Work } from "./websites-screen.tsx";
import { say } from "./words.ts";

function App() {
  const [session, setSession] = useState<Session>();
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
      setSession(await signIn(key, leave));
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
  if (session !== undefined) return <Console session={session} onLeave={() => leave()} />;
  if (!isStarting) return <SignIn fault={fault} onKey={start} />;
  return <main class="page">Loading …</main>;
}

function Console({ session, onLeave }: { readonly session: Session; readonly onLeave: () => void }) {
  const route = useRoute();
  const [work, setWork] = useState<Work>({ picked: new Map(), made: [], failures: [] });
  const [{ text, path }, setNotice] = useState({ text: "", path: "" });
  // A notice goes with its screen.
  const notify = (said: string, at = readRoute().path) => setNotice({ text: said, path: at });
  const notice = path === route.path ? text : "";
  const id = /^\/websites\/(\d+)$/.exec(route.path)?.[1];
  const isAdding = route.path === "/add" && session.mayWrite;
  return (
    <>
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
        {id !== undefined && <EditScreen key={id} id={Number(id)} session={session} onNotice={notify} />}
        {id === undefined && isAdding && <AddScreen session={session} onNotice={notify} />}
        {id === undefined && !isAdding && (
          <WebsitesScreen session={session} route={route} work={work} onWork={setWork} onNotice={notify} />
        )}
      </main>
    </>
  );
}

const root = document.getElementById("console");
if (root !== null) render(<App />, root);
