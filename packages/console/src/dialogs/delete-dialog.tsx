import type { Deletion, Version } from "@siteward/sdk/bulk";
import { useState } from "preact/hooks";
import { Field } from "../parts/fields.tsx";
import { Button, Dialog, Failure, Form } from "../parts/parts.tsx";
import { RunActions, type RunProps, useRun } from "../parts/run.tsx";
import { useVersions } from "../parts/versions.ts";
import { many, nameDomain, nameSome } from "../words/text.ts";

/** @param known the versions that a person has seen. Without them, they are read. */
type DeleteProps = RunProps & { readonly known?: ReadonlyMap<number, Version> };

/** Deletes one website once its domain is typed, and several once their number is: these versions of them. */
export function DeleteDialog({ rows: selected, known, onClose, onDone }: DeleteProps) {
  // Whatever comes and goes meanwhile. What somebody changes from now on is not lost.
  const [rows] = useState(selected);
  const { versions, fault, read } = useVersions(new Set(rows.map(({ website }) => website.id)), known);
  const [typed, setTyped] = useState("");
  const [isWrong, setWrong] = useState(false);
  const run = useRun();
  const [first, ...others] = rows;
  const isOne = others.length === 0;
  const phrase = isOne ? (first?.name ?? "") : `delete ${many(rows.length)}`;
  const accepted = isOne ? [phrase, first?.website.domain] : [phrase];
  const start = async () => {
    const isTyped = accepted.includes(typed.trim().toLowerCase());
    setWrong(!isTyped);
    if (!isTyped) return;
    const changes = rows.map(({ website: { id, domain } }): Deletion => {
      return { action: "delete", id, domain, only: versions?.get(id) };
    });
    onDone(...(await run.run(changes, { verb: "deleted", title: "Deleted" }, { acceptsMissing: true })));
  };
  return (
    <Dialog title={`Delete ${isOne ? nameDomain(first?.website.domain ?? "") : many(rows.length)}?`} onClose={onClose}>
      {(dismiss) => (
        <Form onSend={start}>
          {isOne || <p>{nameSome(rows.map(({ website }) => website.domain))}</p>}
          <p>Settings cannot be restored. Export them as CSV first: siteward import, in a terminal, adds them again.</p>
          <Field
            id="typed"
            label={`Type “${phrase}”`}
            value={typed}
            onText={setTyped}
            faults={isWrong ? [`Type “${phrase}”.`] : undefined}
          />
          {fault !== "" && <Failure onRetry={read}>{fault}</Failure>}
          <RunActions run={run} label="Delete" class="danger" isOff={versions === undefined}>
            <Button label="Cancel" onClick={dismiss} />
          </RunActions>
        </Form>
      )}
    </Dialog>
  );
}
