import { isApiError } from "@siteward/sdk";
import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { advance, noWork, summarizeRun, type Work } from "./data/changes.ts";
import { mayLeave, readRoute, useRoute } from "./data/route.ts";
import { type Account, type Desk, DeskContext, openAccount, storedKeys, storeKeys } from "./data/session.ts";
import { keepFocus } from "./parts/focus.ts";
import { Button, Jump } from "./parts/parts.tsx";
import { Header } from "./screens/header.tsx";
import { lazy } from "./screens/lazy.tsx";
import { SignIn } from "./screens/sign-in.tsx";
import { WebsitesScreen } from "./screens/websites-screen.tsx";
import { say } from "./words/text.ts";

const AddScreen = lazy("AddScreen");
const EditScreen = lazy("EditScreen");
const JournalScreen = lazy("JournalScreen");

const refused = "The API key is unknown, revoked or expired. Paste another one.";

function App() {
  const [accounts, setAccounts] = useState<readonly Account[]>([]);
  /** What a key that stops working does not take away, by account. */
  const [works, setWorks] = useState<ReadonlyMap<string, Work>>(new Map());
  const [isSigningIn, setSigningIn] = useState(false);
  const [isStarting, setStarting] = useState(true);
  const [fault, setFault] = useState("");
  const now = useRef(accounts);
  /** @param next the accounts, that which is shown first. Keys that were not tried yet stay. */
  const keep = (next: readonly Account[]) => {
    now.current = next;
    storeKeys([...new Set([...next.map(({ key }) => key), ...storedKeys()])]);
    setAccounts(next);
  };
  const forget = (key: string, reason = "") => {
    setFault(reason);
    storeKeys(storedKeys().filter((one) => one !== key));
    if (now.current[0]?.key === key) document.title = "Siteward";
    for (const account of now.current) if (account.key === key) account.end.abort();
    keep(now.current.filter((account) => account.key !== key));
  };
  const open = async (key: string, isShown = true) => {
    try {
      const account = await openAccount(key, () => forget(key, refused));
      for (const other of now.current) if (other.id === account.id && other.key !== key) forget(other.key);
      const others = now.current.filter((other) => other.key !== key);
      keep(isShown ? [account, ...others] : [...others, account]);
      if (!isShown) return;
      setFault("");
      setSigningIn(false);
    } catch (error) {
      // The key of a server that cannot be reached is kept. A key that is refused has said so.
      if (!isApiError(error, "unauthenticated")) setFault(say(error));
    }
  };
  useEffect(() => {
    const start = async () => {
      const [first, ...others] = storedKeys();
      if (first !== undefined) await open(first);
      setStarting(false);
      for (const key of others) await open(key, false);
    };
    void start();
  }, []);
  const [account] = accounts;
  if (isStarting) return <main class="page">Loading …</main>;
  if (account === undefined || isSigningIn) {
    return <SignIn fault={fault} onKey={(key) => open(key)} onBack={account && (() => setSigningIn(false))} />;
  }
  const show = (id: string) => {
    if (!mayLeave()) return;
    setFault("");
    if (id === "") return setSigningIn(true);
    location.assign("#/");
    keep(accounts.toSorted((one, other) => Number(other.id === id) - Number(one.id === id)));
  };
  // A run may end after its account was left.
  const onWork = (change: (work: Work) => Work) =>
    setWorks((all) => new Map(all).set(account.id, change(all.get(account.id) ?? noWork)));
  const header = { accounts, onShow: show, onForget: () => mayLeave() && forget(account.key) };
  return <Console key={account.key} {...{ account, header, onWork }} work={works.get(account.id) ?? noWork} />;
}

interface ConsoleProps {
  readonly account: Account;
  readonly work: Work;
  readonly onWork: (change: (work: Work) => Work) => void;
  readonly header: Parameters<typeof Header>[0];
}

function Console({ account, work, onWork, header }: ConsoleProps) {
  const route = useRoute();
  const [notice, setNotice] = useState({ text: "", path: "" });
  // Only the account that is shown asks the server.
  useEffect(() => account.websites.follow(), [account]);
  const desk: Desk = {
    ...account,
    route,
    work,
    pick: (picked) => onWork((now) => ({ ...now, picked })),
    notify: (text, path = readRoute().path) => setNotice({ text, path }),
    finish(run, doing) {
      const gone =
        doing.verb === "deleted" ? run.outcomes.flatMap(({ change }) => ("id" in change ? change.id : [])) : [];
      keepFocus(new Set(gone));
      onWork((now) => advance(now, run, doing));
      setNotice({ text: summarizeRun(run, doing.verb), path: readRoute().path });
    },
  };
  const id = /^\/websites\/(\d+)$/.exec(route.path)?.[1];
  const screen = id !== undefined ? "edit" : route.path === "/add" && !account.mayWrite ? "/" : route.path;
  const others: Readonly<Record<string, unknown>> = {
    edit: <EditScreen key={id} id={Number(id)} />,
    "/add": <AddScreen key={route.query.get("domains")} />,
    "/journal": <JournalScreen />,
  };
  return (
    <DeskContext.Provider value={desk}>
      <Jump class="skip" to="title">
        Skip to content
      </Jump>
      <Header {...header} />
      <main class="page">
        {!account.mayWrite && (
          <p class="help">This API key can only read. To change websites, use one with websites:write.</p>
        )}
        {others[screen] ?? <WebsitesScreen />}
      </main>
      <Toast text={notice.path === route.path ? notice.text : ""} onClose={() => desk.notify("")} />
    </DeskContext.Provider>
  );
}

/** What was done. It is always there, so that it is read aloud, and always in sight. */
function Toast({ text, onClose }: { readonly text: string; readonly onClose: () => void }) {
  const close = () => {
    keepFocus();
    onClose();
  };
  return (
    <div class={text === "" ? "hidden" : "toast"} role="status">
      {text}
      {text !== "" && <a href="#/journal">Journal</a>}
      {text !== "" && <Button label="Dismiss" onClick={close} />}
    </div>
  );
}

const root = document.getElementById("console");
if (root !== null) render(<App />, root);
