import { Privacy } from "@siteward/sdk";
import type { Edit } from "@siteward/sdk/bulk";
import { useMemo, useState } from "preact/hooks";
import type { Row } from "../data/websites.ts";
import { Choice, Field } from "../parts/fields.tsx";
import { type ChoiceField, choices, type Faults, type ListField, lists } from "../words/settings.ts";
import { many } from "../words/text.ts";

interface FieldsProps {
  readonly rows: readonly Row[];
  readonly edit: Edit;
  readonly faults: Faults | undefined;
  readonly onChange: (edit: Edit) => void;
}

/** What to set, to add and to remove. A password is not among it: one for many websites protects none. */
export function BulkFields({ rows, edit, faults, onChange }: FieldsProps) {
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
      {found.length > maxShown + removed.length && <p class="help">And more. Type a part of one.</p>}
    </>
  );
}

/** Returns all entries with how many websites have them, the most used first. */
function countEntries(rows: readonly Row[], field: ListField): (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const { website } of rows) for (const entry of website[field]) counts.set(entry, (counts.get(entry) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one);
}
