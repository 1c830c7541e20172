import type { Deletion } from "@siteward/sdk/bulk";
import { toUnicodeDomain } from "@siteward/sdk/fields";
import { useState } from "preact/hooks";
import { Button, Dialog, Field, Form } from "../parts/parts.tsx";
import { RunActions, type RunProps, useRun } from "../parts/run.tsx";
import { many, nameSome } from "../words/text.ts";

/** Deletes one website once its domain is typed, and several once their number is. */
export function DeleteDialog({ versions, onClose, onDone }: RunProps) {
  const [typed, setTyped] = useState("");
  const [isWrong, setWrong] = useState(false);
  const run = useRun();
  const domains = versions.map(({ website }) => website.domain);
  const isOne = versions.length === 1;
  const phrase = isOne ? toUnicodeDomain(domains[0] ?? "") : `delete ${many(versions.length)}`;
  const accepted = isOne ? [phrase, domains[0]] : [phrase];
  const start = async () => {
    const isTyped = accepted.includes(typed.trim().toLowerCase());
    setWrong(!isTyped);
    if (!isTyped) return;
    const changes = versions.map(
      (only): Deletion => ({ action: "delete", id: only.website.id, domain: only.website.domain, only }),
    );
    onDone(await run.run(changes, { acceptsMissing: true }));
  };
  return (
    <Dialog title={`Delete ${isOne ? phrase : many(versions.length)}?`} onClose={onClose}>
      {(dismiss) => (
        <Form onSend={start}>
          {isOne || <p>{nameSome(domains)}</p>}
          <p>Settings cannot be restored. Export them as CSV first: siteward import, in a terminal, adds them again.</p>
          <Field
            id="typed"
            label={`Type “${phrase}”`}
            value={typed}
            onText={setTyped}
            faults={isWrong ? [`Type “${phrase}”.`] : undefined}
          />
          <RunActions run={run} label="Delete" class="danger">
            <Button label="Cancel" onClick={dismiss} />
          </RunActions>
        </Form>
      )}
    </Dialog>
  );
}
