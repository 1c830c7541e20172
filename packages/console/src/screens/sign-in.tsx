import { isWellFormedApiKey } from "@siteward/sdk";
import { useEffect, useState } from "preact/hooks";
import { storedKeys } from "../data/session.ts";
import { Field } from "../parts/fields.tsx";
import { Button, Form } from "../parts/parts.tsx";

/**
 * @param fault why there is no account, or no longer one
 * @param onBack leads back to the account that is open
 */
type Props = Readonly<{ fault: string; onKey: (key: string) => Promise<void>; onBack: (() => void) | undefined }>;

const notAKey = "This is not an API key. A key begins with swk_ and has 42 characters. Copy all of it.";
const help = "No key? Whoever operates this server creates one: siteward-server keys create --account 1 --name console";

export function SignIn({ fault, onKey, onBack }: Props) {
  const [key, setKey] = useState(onBack === undefined ? (storedKeys()[0] ?? "") : "");
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
        <div class="actions">
          <Button type="submit" class="primary" label={isBusy ? "Checking …" : "Continue"} isOff={isBusy} />
          {onBack !== undefined && <Button label="Back" onClick={onBack} />}
        </div>
      </Form>
    </main>
  );
}
