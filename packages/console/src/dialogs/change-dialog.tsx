import { Privacy } from "@siteward/sdk";
import type { Edit } from "@siteward/sdk/bulk";
import { useMemo, useState } from "preact/hooks";
import { isEmpty, preview, toUpdates } from "../data/edits.ts";
import type { Row } from "../data/websites.ts";
import { Choice, Field } from "../parts/fields.tsx";
import { FaultSummary, More } from "../parts/parts.tsx";
import { RunDialog, type RunProps, useRun } from "../parts/run.tsx";
import { useSoon } from "../parts/soon.ts";
import {
  type ChoiceField,
  choices,
  describeEdit,
  type Faults,
  findFaults,
  type ListField,
  lists,
} from "../words/settings.ts";
import { digits, many } from "../words/text.ts";

/** Changes all selected websites, which the run reads again. */
export function ChangeDialog({ rows, onClose, onDone }: RunProps) {
  const [edit, setEdit] = useState<Edit>({});
  const { differing, exposed } = useSoon(() => preview(isEmpty(edit) ? [] : rows, edit), [rows, edit]);
  const [faults, setFaults] = useState<Faults>();
  const run = useRun(onDone);
  const start = () => {
    const added = lists.map(({ field }) => [field, edit.add?.[field]?.[0] ?? ""]);
    const wrong = findFaults(Object.fromEntries(added));
    setFaults(wrong);
    if (wrong === undefined)
      void run.run(toUpdates(rows, edit), { verb: "changed", title: describeEdit(edit).join(", ") });
  };
  const count = `${many(differing)} will change, ${digits(rows.length - differing)} stay as they are.`;
  const status = isEmpty(edit) ? "Choose what to change." : count;
  const title = `Change ${many(rows.length)}`;
  return (
    <RunDialog {...{ title, onClose, run, status, exposed }} onSend={start} label={title} isOff={isEmpty(edit)}>
      <FaultSummary title="Nothing was changed" faults={faults} />
      <BulkFields rows={rows} edit={edit} faults={faults} onChange={setEdit} />
    </RunDialog>
  );
}

interface FieldsProps {
  readonly rows: readonly Row[];
  readonly edit: Edit;
  readonly faults: Faults | undefined;
  readonly onChange: (edit: Edit) => void;
}

/** What to set, to add and to remove. A password is not among it: one for many websites protects none. */
function BulkFields({ rows, edit, faults, onChange }: FieldsProps) {
  const choose = (field: ChoiceField, value: string) => {
    const { [field]: _, ...others } = edit.set ?? {};
    onChange({ ...edit, set: value === "" ? others : { ...others, [field]: Number(value) } });
  };
  return (
    <>
      <div class="grid">
        {choices.map(({ field, label, names }) => (
          <Field
            key={field}
            id={field}
            label={label}
            value={String(edit.set?.[field] ?? "")}
            onText={(value) => choose(field, value)}
          >
            <option value="">Do not change</option>
            {Object.entries(names).map(
              ([value, name]) =>
                !(field === "privacy" && Number(value) === Privacy.Password) && (
                  <option key={value} value={value}>
                    {name}
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
              label={`Add ${label}`}
              help="One per line."
              rows={3}
              value={edit.add?.[field]?.[0] ?? ""}
              onText={(text) => onChange({ ...edit, add: { ...edit.add, [field]: [text] } })}
              faults={faults?.[field]}
            />
            <fieldset class="removals">
              <legend>Remove {label}</legend>
              <Removals field={field} rows={rows} edit={edit} onChange={onChange} />
            </fieldset>
          </div>
        ))}
      </div>
    </>
  );
}

/** How many entries are shown. A part of one finds the others. */
const maxShown = 50;

function Removals({ field, rows, edit, onChange }: Omit<FieldsProps, "faults"> & { readonly field: ListField }) {
  const removed = edit.remove?.[field] ?? [];
  const used = useMemo(() => countEntries(rows, field), [rows]);
  const [term, setTerm] = useState("");
  const pick = (entry: string, isOn: boolean) => {
    const others = removed.filter((other) => other !== entry);
    onChange({ ...edit, remove: { ...edit.remove, [field]: isOn ? [...others, entry] : others } });
  };
  if (used.length === 0) return <p class="help">None.</p>;
  // What is ticked stays in sight, whatever is typed.
  const found = used.filter(([entry]) => removed.includes(entry) || entry.includes(term.trim()));
  return (
    <>
      <input
        type="search"
        aria-label={`Find one of ${used.length}`}
        placeholder={`Find one of ${used.length}`}
        value={term}
        onInput={(event) => setTerm(event.currentTarget.value)}
      />
      {found.slice(0, maxShown + removed.length).map(([entry, count]) => (
        <Choice
          key={entry}
          label={`${entry} in ${many(count)}`}
          isOn={removed.includes(entry)}
          onPick={(isOn) => pick(entry, isOn)}
        />
      ))}
      <More of={found.length} shown={maxShown + removed.length} />
    </>
  );
}

/** Returns all entries with how many websites have them, the most used first. */
function countEntries(rows: readonly Row[], field: ListField): (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const row of rows) for (const entry of row[field]) counts.set(entry, (counts.get(entry) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one);
}
