import { Privacy } from "@siteward/sdk";
import { Choice, Field } from "../parts/fields.tsx";
import {
  type ChoiceField,
  choices,
  type Draft,
  type Faults,
  type ListField,
  labels,
  lists,
  passwordHelp,
  toLines,
} from "../words/settings.ts";

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
      <ChoiceFieldset {...props} field="privacy" />
      {hasPassword && draft.privacy !== Privacy.Password && (
        <p class="fault">The password will be deleted, which cannot be undone.</p>
      )}
      {draft.privacy === Privacy.Password && (
        <Field
          id="password"
          label="Password"
          password="new-password"
          value={draft.password}
          onText={(password) => onChange({ ...draft, password })}
          faults={faults?.["password"]}
          help={hasPassword ? "A password is set. Empty keeps it." : passwordHelp}
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
      {choices.map(({ field }) => field !== "privacy" && <ChoiceFieldset key={field} {...props} field={field} />)}
      <ListFields texts={draft} faults={faults} onChange={(some) => onChange({ ...draft, ...some })} />
    </>
  );
}

type Texts = Pick<Draft, ListField>;
type ListsProps = Readonly<{ texts: Texts; faults: Faults | undefined; onChange: (some: Partial<Texts>) => void }>;

/** A text area for each list, with an entry on each line. */
export function ListFields({ texts, faults, onChange }: ListsProps) {
  return lists.map(({ field, limit, help }) => (
    <Field
      key={field}
      id={field}
      label={`${labels[field]} (${toLines(texts[field]).length} of ${limit})`}
      rows={5}
      value={texts[field]}
      onText={(text) => onChange({ [field]: text })}
      help={help}
      faults={faults?.[field]}
    />
  ));
}

function ChoiceFieldset({ field, draft, onChange }: FieldsProps & { readonly field: ChoiceField }) {
  const names = Object.entries(choices.find((choice) => choice.field === field)?.names ?? {});
  return (
    <fieldset>
      <legend>{labels[field]}</legend>
      {names.map(([value, name], at) => (
        <Choice
          key={name}
          name={field}
          // A fault leads to the first one.
          id={at === 0 ? field : undefined}
          label={name}
          isOn={draft[field] === Number(value)}
          onPick={() => onChange({ ...draft, [field]: Number(value) })}
        />
      ))}
    </fieldset>
  );
}
