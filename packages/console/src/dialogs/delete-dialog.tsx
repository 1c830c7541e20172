import type { Deletion, Version } from "@siteward/sdk/bulk";
import { useState } from "preact/hooks";
import { Field } from "../parts/fields.tsx";
import { Failure } from "../parts/parts.tsx";
import { RunDialog, type RunProps, useRun } from "../parts/run.tsx";
import { useVersions } from "../parts/versions.ts";
import { many, nameDomain, nameSome, toName } from "../words/text.ts";

/** @param known the versions that a person has seen. Without them, they are read. */
type DeleteProps = RunProps & { readonly known?: ReadonlyMap<number, Version> };

/** Deletes one website once its domain is typed, and several once their number is: these versions of them. */
export function DeleteDialog({ rows: selected, known, onClose, onDone }: DeleteProps) {
  // Whatever comes and goes meanwhile. What somebody changes from now on is not lost.
  const [rows] = useState(selected);
  const { versions, fault, read } = useVersions(new Set(rows.map(({ id }) => id)), known);
  const [typed, setTyped] = useState("");
  const [isWrong, setWrong] = useState(false);
  const run = useRun(onDone);
  const [first, ...others] = rows;
  const isOne = others.length === 0;
  const domain = first?.domain ?? "";
  const phrase = isOne ? toName(domain) : `delete ${many(rows.length)}`;
  const accepted = isOne ? [phrase, domain] : [phrase];
  const start = () => {
    const isTyped = accepted.includes(typed.trim().toLowerCase());
    setWrong(!isTyped);
    if (!isTyped) return;
    const changes = rows.map(({ id, domain }): Deletion => {
      return { action: "delete", id, domain, only: versions?.get(id) };
    });
    void run.run(changes, { verb: "deleted", title: "Deleted" }, { acceptsMissing: true });
  };
  const title = `Delete ${isOne ? nameDomain(domain) : many(rows.length)}?`;
  const status = versions === undefined && fault === "" ? "Wait until it is read what would be deleted." : "";
  const button = { label: "Delete", class: "danger", isOff: versions === undefined };
  return (
    <RunDialog {...{ title, onClose, run, status }} {...button} onSend={start}>
      {isOne || <p>{nameSome(rows.map((row) => row.domain))}</p>}
      <p>Settings cannot be restored. Export them as CSV first: siteward import, in a terminal, adds them again.</p>
      <Field
        id="typed"
        label={`Type “${phrase}”`}
        value={typed}
        onText={setTyped}
        faults={isWrong ? [`Type “${phrase}”.`] : undefined}
      />
      {fault !== "" && <Failure onRetry={read}>{fault}</Failure>}
    </RunDialog>
  );
}
