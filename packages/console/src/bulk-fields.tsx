import { useMemo } from "preact/hooks";
import type { Change } from "./change-websites.ts";
import { type Faults, Field } from "./parts.tsx";
import { type ChoiceField, choices, type ListField, lists } from "./settings.ts";
import type { Version } from "./version.ts";

interface Props {
  readonly picked: readonly Version[];
  readonly change: Change;
  readonly faults: Faults | undefined;
  readonly onChange: (change: Change) => void;
}

/** What to set, to add and to remove. A password is not among it: one for many websites protects none. */
export function BulkFields({ picked, change, faults, onChange }: Props) {
  const choose = (field: ChoiceField, value: string) => {
    const { [field]: _, ...values } = change.values;
    onChange({ ...change, values: value === "" ? values : { ...values, [field]: Number(value) } });
  };
  return (
    <>
      <div class="grid three">
        {choices.map(({ field, label, options }) => (
          <Field
            key={field}
            id={field}
            label={label}
            value={String(change.values[field] ?? "")}
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
          <Field
            key={field}
            id={field}
            label={`Add ${label.replace("E", "e")}`}
            help="One per line."
            rows={3}
            value={change.added[field]}
            onText={(text) => onChange({ ...change, added: { ...change.added, [field]: text } })}
            faults={faults?.[field]}
          />
        ))}
        {lists.map(({ field, label }) => (
          <fieldset class="removals" key={field}>
            <legend>Remove {label.replace("E", "e")}</legend>
            <Removals field={field} picked={picked} change={change} onChange={onChange} />
          </fieldset>
        ))}
      </div>
    </>
  );
}

function Removals({ field, picked, change, onChange }: Omit<Props, "faults"> & { readonly field: ListField }) {
  const used = useMemo(() => countEntries(picked, field), [picked]);
  const pick = (entry: string, isOn: boolean) => {
    const others = [...change.removed[field]].filter((other) => other !== entry);
    onChange({ ...change, removed: { ...change.removed, [field]: new Set(isOn ? [...others, entry] : others) } });
  };
  if (used.length === 0) return <p class="help">None.</p>;
  return used.map(([entry, count]) => (
    <label class="choice" key={entry}>
      <input
        type="checkbox"
        checked={change.removed[field].has(entry)}
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
