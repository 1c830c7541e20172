import { isWellFormedApiKey } from "@siteward/sdk";
import { useEffect, useState } from "preact/hooks";
import { storedKey } from "../data/session.ts";
import { Field, Form } from "../parts/parts.tsx";

/** @param fault why there is no session, or no longer one */
type Props = Readonly<{ fault: string; onKey: (key: string) => Promise<void> }>;

const notAKey = "This is not an API key. A key begins with swk_ and has 42 characters. Copy all of it.";
const help = "No key? Whoever operates this server creates one: siteward-server keys create --account 1 --name console";

export function SignIn({ fault, onKey }: Props) {
  const [key, setKey] = useState(storedKey() ?? "");
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const shown = problem || fault;
  // A screen reader then says what is wrong.
  useEffect(() => document.getElementById("key")?.focus(), [shown, isBusy]);
  const submit = () => {
    const isKey = isWellFormedApiKey(key.trim());
    setProblem(isKey ? "" : notAKey);
    if (!isKey) return;
    setBusy(true);
    void onKey(key.trim()).finally(() => setBusy(false));
  };
  const faults = shown === "" ? undefined : [shown];
  return (
    <main class="page narrow">
      <h1>Siteward</h1>
      <p>
        Manage the websites of your account. Paste an API key. This tab keeps it until you close it or choose “Forget
        key”.
      </p>
      <Form onSend={submit}>
        <Field id="key" label="API key" password="off" value={key} onText={setKey} help={help} faults={faults} />
        <button type="submit" class="primary" disabled={isBusy}>
          {isBusy ? "Checking …" : "Continue"}
        </button>
      </Form>
    </main>
  );
}
