import { Field } from "../parts/parts.tsx";
import { choices, type Draft, type Faults, lists, toLines } from "../words/settings.ts";

interface FieldsProps {
  readonly draft: Draft;
  readonly faults: Faults | undefined;
  readonly onChange: (draft: Draft) => void;
}

/** Who may see the statistics, with the password that one of the choices needs. */
export function PrivacyField({ hasPassword, ...props }: FieldsProps & { readonly hasPassword: boolean }) {
  const { draft, faults, onChange } = props;
  return (
    <>
      <Choice {...props} choice={choices[0]} />
      {draft.privacy === 2 && (
        <Field
          id="password"
          label="Password"
          password="new-password"
          value={draft.password}
          onText={(password) => onChange({ ...draft, password })}
          faults={faults?.["password"]}
          help={hasPassword ? "A password is set. Empty keeps it." : "8 to 256 characters. It is never shown again."}
        />
      )}
    </>
  );
}

/** All other settings of a website. */
export function OtherFields(props: FieldsProps) {
  const { draft, faults, onChange } = props;
  return (
    <>
      {choices.slice(1).map((choice) => (
        <Choice key={choice.field} {...props} choice={choice} />
      ))}
      {lists.map(({ field, label, limit, help }) => (
        <Field
          key={field}
          id={field}
          label={`${label} (${toLines(draft[field]).length} of ${limit})`}
          rows={5}
          value={draft[field]}
          onText={(text) => onChange({ ...draft, [field]: text })}
          help={help}
          faults={faults?.[field]}
        />
      ))}
    </>
  );
}

function Choice({ choice, draft, onChange }: FieldsProps & { readonly choice: (typeof choices)[number] }) {
  const { field, label, options } = choice;
  return (
    <fieldset>
      <legend>{label}</legend>
      {options.map((option, value) => (
        <label class="choice" key={option}>
          <input
            type="radio"
            name={field}
            // A fault leads to the first one.
            id={value === 0 ? field : undefined}
            checked={draft[field] === value}
            onChange={() => onChange({ ...draft, [field]: value })}
          />
          {option}
        </label>
      ))}
    </fieldset>
  );
}
