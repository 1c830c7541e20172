import { useEffect, useState } from "preact/hooks";
import { BulkFields } from "./bulk-fields.tsx";
import { changeOne, compile, type Made, noChange } from "./change-websites.ts";
import { Button, Dialog, FaultSummary, type Faults, Form } from "./parts.tsx";
import { Progress, type RunProps, useRun } from "./run.tsx";
import type { Version } from "./version.ts";
import { many } from "./words.ts";

/** Changes all selected websites, after it has said how many will differ. */
export function BulkDialog({ client, versions, onClose, onDone }: RunProps<Made>) {
  const [change, setChange] = useState(noChange);
  const affected = useAffected(versions, change);
  const [faults, setFaults] = useState<Faults>();
  const { finished, run, stop } = useRun();
  const start = async () => {
    setFaults(undefined);
    const apply = compile(change);
    const outcome = await run(affected, (version, signal) => changeOne(client, version, apply, signal));
    if (outcome.faults === undefined) onDone(outcome);
    else setFaults(outcome.faults);
  };
  const lost = affected.filter(({ website }) => website.has_password && (change.values.privacy ?? 2) !== 2).length;
  return (
    <Dialog title={`Change ${many(versions.length)}`} onClose={onClose}>
      {(dismiss) => (
        <Form onSend={start}>
          {faults !== undefined && <FaultSummary title="Nothing was changed" faults={faults} />}
          <BulkFields picked={versions} change={change} faults={faults} onChange={setChange} />
          <p role="status">
            {affected.length === 0
              ? "Choose what to change."
              : `${many(affected.length)} will change, ${versions.length - affected.length} stay as they are.`}
            {lost > 0 && ` ${many(lost, "password")} will be deleted, which cannot be undone.`}
          </p>
          <Progress finished={finished} total={affected.length} onStop={stop} />
          <div class="actions">
            <button type="submit" class="primary" disabled={affected.length === 0 || finished !== undefined}>
              Change {many(affected.length)}
            </button>
            <Button label="Cancel" onClick={dismiss} disabled={finished !== undefined} />
          </div>
        </Form>
      )}
    </Dialog>
  );
}

/**
 * Returns the websites that a change makes differ, soon after it was chosen. Those with the fewest entries come first: if the list of
 * the first is full, all are.
 */
function useAffected(versions: readonly Version[], change: typeof noChange): readonly Version[] {
  const [affected, setAffected] = useState<readonly Version[]>([]);
  useEffect(() => {
    const apply = compile(change);
    const differs = ({ website }: Version) => Object.keys(apply(website)).length > 0;
    const count = ({ website }: Version) => website.exclude_ips.length + website.exclude_params.length;
    const find = () => setAffected(versions.filter(differs).sort((one, other) => count(one) - count(other)));
    const timer = setTimeout(find, 150);
    return () => clearTimeout(timer);
  }, [change]);
  return affected;
}
