import { type ComponentChildren, type ComponentProps, h } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { type Faults, labels } from "../words/settings.ts";
import { capitalize } from "../words/text.ts";

/** A heading that takes the focus when its screen opens, so that a screen reader says where one is. */
export function Title({ children }: { readonly children: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${children} · Siteward`;
    heading.current?.focus();
  }, [children]);
  return (
    <h1 id="title" tabIndex={-1} ref={heading}>
      {children}
    </h1>
  );
}

type JumpProps = Readonly<{ to: string; class?: string; children: ComponentChildren }>;

/** Leads to the element with this ID, which gets the focus. The URL stays, because it says what is shown. */
export function Jump({ to, children, ...others }: JumpProps) {
  const jump = (event: Event) => {
    event.preventDefault();
    document.getElementById(to)?.focus();
  };
  return (
    <a {...others} href={`#${to}`} onClick={jump}>
      {children}
    </a>
  );
}

/** The way back to the list, above the title of a screen. */
export function Crumb() {
  return (
    <p class="crumb">
      <a href="#/">Websites</a>
    </p>
  );
}

type ButtonProps = Omit<ComponentProps<"button">, "type" | "children"> & { readonly label: string };

/** A button that sends no form. */
export function Button({ label, ...others }: ButtonProps) {
  return (
    <button type="button" {...others}>
      {label}
    </button>
  );
}

/** A form that is sent by its button, by Enter, and by Ctrl or ⌘ with Enter. */
export function Form({ onSend, children }: { readonly onSend: () => unknown; readonly children: ComponentChildren }) {
  const send = (event: Event) => {
    event.preventDefault();
    onSend();
  };
  const sendWithKeys = ({ key, ctrlKey, metaKey, currentTarget }: KeyboardEvent & { currentTarget: HTMLElement }) => {
    // A button that is disabled sends nothing.
    if (key === "Enter" && (ctrlKey || metaKey)) currentTarget.querySelector<HTMLElement>("[type=submit]")?.click();
  };
  return (
    <form onSubmit={send} onKeyDown={sendWithKeys} noValidate>
      {children}
    </form>
  );
}

type DialogProps = Readonly<{ title: string; onClose: () => void; children: (close: () => void) => ComponentChildren }>;

/** A dialog that Esc closes too. The focus then returns to what opened it. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-labelledby="dialog-title" onClose={onClose}>
      <h2 id="dialog-title">{title}</h2>
      {children(() => dialog.current?.close())}
    </dialog>
  );
}

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
}

/** A label, help, what the API says is wrong, and the control. */
export function Field({ id, label, value, onText, help, faults, rows, password, children }: FieldProps) {
  const isWrong = faults !== undefined;
  const describedBy = [help && `${id}-help`, isWrong && `${id}-fault`].filter(Boolean).join(" ");
  const control = children !== undefined ? "select" : rows !== undefined ? "textarea" : "input";
  const about = {
    ...{ id, value, rows, spellcheck: false, "aria-invalid": isWrong, "aria-describedby": describedBy },
    ...(password && { type: "password", autocomplete: password }),
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
    </div>
  );
}

type SummaryProps = Readonly<{ title: string; about?: unknown; children: ComponentChildren }>;

/** A box that takes the focus as soon as it is shown, or about something else. */
export function Summary({ title, about, children }: SummaryProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), [about]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would name a part of the form
    <div class="summary" tabIndex={-1} ref={box} role="group" aria-labelledby="summary-title">
      <h2 id="summary-title">{title}</h2>
      {children}
    </div>
  );
}

type ReportProps = Readonly<{ title: string; lines: readonly string[]; children?: ComponentChildren }>;

/** Says what happened while nobody looked. */
export function Report({ title, lines, children }: ReportProps) {
  return (
    <div class="summary" role="alert">
      <h2>{title}</h2>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {children}
    </div>
  );
}

/** Leads to each field that is wrong, whose ID is its name. */
export function FaultSummary({ title, faults }: { readonly title: string; readonly faults: Faults }) {
  return (
    <Summary title={title} about={faults}>
      <ul>
        {Object.entries(faults).map(([field, messages]) => (
          <li key={field}>
            <Jump to={field}>
              {labels[field] ?? field}: {messages.join("; ")}
            </Jump>
          </li>
        ))}
      </ul>
    </Summary>
  );
}

/** Says that something went wrong, and offers to do it again. */
export function Failure({ children, onRetry }: { readonly children: string; readonly onRetry: () => void }) {
  return (
    <p class="fault" role="alert">
      {children} <Button label="Try again" onClick={onRetry} />
    </p>
  );
}
