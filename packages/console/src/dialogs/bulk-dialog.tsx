import type { Edit, Version } from "@siteward/sdk/bulk";
import { useEffect, useMemo, useState } from "preact/hooks";
import { countDiffering, faultsOf, isEmpty, stopAtFirstFault, toUpdates } from "../data/changes.ts";
import { Button, Dialog, FaultSummary, Field, Form } from "../parts/parts.tsx";
import { RunActions, type RunProps, useRun } from "../parts/run.tsx";
import { type ChoiceField, choices, type Faults, type ListField, lists } from "../words/settings.ts";
import { many } from "../words/text.ts";

/** Changes all selected websites, which the run reads again. */
export function BulkDialog({ versions, onClose, onDone }: RunProps) {
  const [edit, setEdit] = useState<Edit>({});
  const count = useCount(versions, edit);
  const [faults, setFaults] = useState<Faults>();
  const run = useRun();
  const start = async () => {
    setFaults(undefined);
    const done = await run.run(toUpdates(versions, edit), stopAtFirstFault());
    const wrong = faultsOf(done);
    setFaults(wrong);
    if (wrong === undefined && done.end !== "declined") onDone(done);
  };
  return (
    <Dialog title={`Change ${many(versions.length)}`} onClose={onClose}>
      {(dismiss) => (
        <Form onSend={start}>
          {faults !== undefined && <FaultSummary title="Nothing was changed" faults={faults} />}
          <BulkFields picked={versions} edit={edit} faults={faults} onChange={setEdit} />
          <p role="status">
            {isEmpty(edit)
              ? "Choose what to change."
              : `${many(count)} will change, ${versions.length - count} stay as they are. All are read again first.`}
          </p>
          <RunActions run={run} label={`Change ${many(versions.length)}`} isOff={isEmpty(edit)}>
            <Button label="Cancel" onClick={dismiss} />
          </RunActions>
        </Form>
      )}
    </Dialog>
  );
}

/** Returns how many websites an edit makes differ, soon after it was made. */
function useCount(versions: readonly Version[], edit: Edit): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const timer = setTimeout(() => setCount(countDiffering(versions, edit)), 150);
    return () => clearTimeout(timer);
  }, [edit]);
  return count;
}

interface FieldsProps {
  readonly picked: readonly Version[];
  readonly edit: Edit;
  readonly faults: Faults | undefined;
  readonly onChange: (edit: Edit) => void;
}

/** What to set, to add and to remove. A password is not among it: one for many websites protects none. */
function BulkFields({ picked, edit, faults, onChange }: FieldsProps) {
  const choose = (field: ChoiceField, value: string) => {
    const { [field]: _, ...others } = edit.set ?? {};
    onChange({ ...edit, set: value === "" ? others : { ...others, [field]: Number(value) } });
  };
  return (
    <>
      <div class="grid three">
        {choices.map(({ field, label, options }) => (
          <Field
            key={field}
            id={field}
            label={label}
            value={String(edit.set?.[field] ?? "")}
            onText={(value) => choose(field, value)}
            faults={faults?.[field]}
          >
            <option value="">Do not change</option>
            {options.map(
              (option, value) =>
                option !== "Password" && (
                  <option key={option} value={value}>
                    {option}
                  </option>
                ),
            )}
          </Field>
        ))}
      </div>
      <div class="grid">
        {lists.map(({ field, label }) => (
          <div key={field}>
            <Field
              id={field}
              label={`Add ${label.replace("E", "e")}`}
              help="One per line."
              rows={3}
              value={edit.add?.[field]?.[0] ?? ""}
              onText={(text) => onChange({ ...edit, add: { ...edit.add, [field]: [text] } })}
              faults={faults?.[field]}
            />
            <fieldset class="removals">
              <legend>Remove {label.replace("E", "e")}</legend>
              <Removals field={field} picked={picked} edit={edit} onChange={onChange} />
            </fieldset>
          </div>
        ))}
      </div>
    </>
  );
}

function Removals({ field, picked, edit, onChange }: Omit<FieldsProps, "faults"> & { readonly field: ListField }) {
  const removed = edit.remove?.[field] ?? [];
  const used = useMemo(() => countEntries(picked, field), [picked]);
  const pick = (entry: string, isOn: boolean) => {
    const others = removed.filter((other) => other !== entry);
    onChange({ ...edit, remove: { ...edit.remove, [field]: isOn ? [...others, entry] : others } });
  };
  if (used.length === 0) return <p class="help">None.</p>;
  return used.map(([entry, count]) => (
    <label class="choice" key={entry}>
      <input
        type="checkbox"
        checked={removed.includes(entry)}
        onChange={(event) => pick(entry, event.currentTarget.checked)}
      />
      {entry} <span class="help">in {count}</span>
    </label>
  ));
}

const maxEntries = 50;

/** Returns the entries that most of the websites have, with how many have them. */
function countEntries(picked: readonly Version[], field: ListField): (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const { website } of picked) for (const entry of website[field]) counts.set(entry, (counts.get(entry) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one).slice(0, maxEntries);
}
