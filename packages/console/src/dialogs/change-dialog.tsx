import type { Edit } from "@siteward/sdk/bulk";
import { useState } from "preact/hooks";
import { isEmpty, preview, toUpdates, warn } from "../data/edits.ts";
import { BulkFields } from "../forms/bulk-fields.tsx";
import { Button, Dialog, FaultSummary, Form } from "../parts/parts.tsx";
import { RunActions, type RunProps, useRun } from "../parts/run.tsx";
import { useSoon } from "../parts/soon.ts";
import { describeEdit, type Faults, findFaults, lists } from "../words/settings.ts";
import { many } from "../words/text.ts";

/** Changes all selected websites, which the run reads again. */
export function ChangeDialog({ rows, onClose, onDone }: RunProps) {
  const [edit, setEdit] = useState<Edit>({});
  const [{ differing, ...exposed }] = useSoon(() => preview(rows, edit), [rows, edit]);
  const [faults, setFaults] = useState<Faults>();
  const run = useRun();
  const start = async () => {
    const added = lists.map(({ field }) => [field, edit.add?.[field]?.[0] ?? ""]);
    const wrong = findFaults(Object.fromEntries(added));
    setFaults(wrong);
    if (wrong !== undefined) return;
    const [done, doing] = await run.run(toUpdates(rows, edit), { verb: "changed", title: describeEdit(edit) });
    if (done.end !== "declined") onDone(done, doing);
  };
  const count = `${many(differing)} will change, ${(rows.length - differing).toLocaleString("en")} stay as they are.`;
  return (
    <Dialog title={`Change ${many(rows.length)}`} onClose={onClose}>
      {(dismiss) => (
        <Form onSend={start}>
          {faults !== undefined && <FaultSummary title="Nothing was changed" faults={faults} />}
          <BulkFields rows={rows} edit={edit} faults={faults} onChange={setEdit} />
          <div class="foot">
            <p role="status">
              {isEmpty(edit) ? "Choose what to change." : count} <span class="fault">{warn(exposed)}</span>
            </p>
            <RunActions run={run} label={`Change ${many(rows.length)}`} isOff={isEmpty(edit)}>
              <Button label="Cancel" onClick={dismiss} />
            </RunActions>
          </div>
        </Form>
      )}
    </Dialog>
  );
}
