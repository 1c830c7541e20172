import { toUnicodeDomain } from "@siteward/sdk/unicode";
import { useState } from "preact/hooks";
import { Button, Dialog, Field, Form } from "./parts.tsx";
import { Progress, type RunProps, useRun } from "./run.tsx";
import type { Version } from "./version.ts";
import { many } from "./words.ts";

/** How many domains are named. */
const maxNamed = 10;

/** Deletes one website once its domain is typed, and several once their number is. */
export function DeleteDialog({ client, versions, onClose, onDone }: RunProps<void>) {
  const [typed, setTyped] = useState("");
  const [isWrong, setWrong] = useState(false);
  const { finished, run, stop } = useRun();
  const domains = versions.map(({ website }) => toUnicodeDomain(website.domain));
  const others = domains.length > maxNamed ? ` and ${domains.length - maxNamed} more` : "";
  const named = domains.slice(0, maxNamed).join(", ") + others;
  const isOne = versions.length === 1;
  const phrase = isOne ? (domains[0] ?? "") : `delete ${many(versions.length)}`;
  const accepted = isOne ? [phrase, versions[0]?.website.domain] : [phrase];
  const start = async () => {
    const isTyped = accepted.includes(typed.trim().toLowerCase());
    setWrong(!isTyped);
    if (!isTyped) return;
    const remove = ({ website, tag }: Version, waitSignal: AbortSignal): Promise<void> =>
      client.websites.delete(website.id, { ifMatch: tag, waitSignal });
    onDone(await run(versions, remove));
  };
  return (
    <Dialog title={`Delete ${isOne ? phrase : many(versions.length)}?`} onClose={onClose}>
      {(dismiss) => (
        <Form onSend={start}>
          {isOne || <p>{named}</p>}
          <p>Settings cannot be restored. Export them as CSV first: siteward import, in a terminal, adds them again.</p>
          <Field
            id="typed"
            label={`Type “${phrase}”`}
            value={typed}
            onText={setTyped}
            faults={isWrong ? [`Type “${phrase}”.`] : undefined}
          />
          <Progress finished={finished} total={versions.length} onStop={stop} />
          <div class="actions">
            <button type="submit" class="danger" disabled={finished !== undefined}>
              Delete
            </button>
            <Button label="Cancel" onClick={dismiss} disabled={finished !== undefined} />
          </div>
        </Form>
      )}
    </Dialog>
  );
}
