import { type ComponentChildren, h } from "preact";
import { capitalize } from "../words/text.ts";

interface FieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly onText: (text: string) => void;
  readonly help?: string;
  readonly faults?: readonly string[] | undefined;
  /** How many lines a text area shows. Without it, the text has one line. */
  readonly rows?: number;
  /** What the browser fills in, if this is a password. */
  readonly password?: "new-password" | "off";
  /** The options, if the field is a choice among them. */
  readonly children?: ComponentChildren;
  /** Options that are suggested. Enter takes one of them, and sends nothing. */
  readonly suggested?: ComponentChildren;
}

/** A label, help, what the API says is wrong, and the control. */
export function Field({ id, label, value, onText, help, faults, rows, password, children, suggested }: FieldProps) {
  const isWrong = faults !== undefined;
  const describedBy = [help && `${id}-help`, isWrong && `${id}-fault`].filter(Boolean).join(" ");
  const control = children !== undefined ? "select" : rows !== undefined ? "textarea" : "input";
  const about = {
    ...{ id, value, rows, spellcheck: false, "aria-invalid": isWrong, "aria-describedby": describedBy },
    ...(password && { type: "password", autocomplete: password }),
    ...(suggested !== undefined && { list: `${id}-options`, onKeyDown: sendNothing }),
    onInput: (event: { readonly currentTarget: { readonly value: string } }) => onText(event.currentTarget.value),
  };
  return (
    <div class={isWrong ? "field wrong" : "field"}>
      <label for={id}>{label}</label>
      {help !== undefined && (
        <p class="help" id={`${id}-help`}>
          {help}
        </p>
      )}
      {isWrong && (
        <ul class="fault" id={`${id}-fault`}>
          {faults.map((fault) => (
            <li key={fault}>{capitalize(fault)}</li>
          ))}
        </ul>
      )}
      {h(control, about, children)}
      {suggested !== undefined && <datalist id={`${id}-options`}>{suggested}</datalist>}
    </div>
  );
}

function sendNothing(event: KeyboardEvent): void {
  if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) event.preventDefault();
}

interface ChoiceProps {
  /** What radio buttons have in common. Without it, this is a checkbox. */
  readonly name?: string;
  readonly id?: string | undefined;
  readonly label: ComponentChildren;
  readonly isOn: boolean;
  readonly isPartly?: boolean;
  readonly onPick: (isOn: boolean) => void;
}

export function Choice({ name, id, label, isOn, isPartly = false, onPick }: ChoiceProps) {
  const type = name === undefined ? "checkbox" : "radio";
  return (
    <label class="choice">
      <input
        {...{ name, id, type, checked: isOn, indeterminate: isPartly }}
        onChange={(event) => onPick(event.currentTarget.checked)}
      />
      {label}
    </label>
  );
}
