import type { ComponentChildren, ComponentProps } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { restorePlace } from "../data/route.ts";
import { useDesk } from "../data/session.ts";
import { type Faults, labels } from "../words/settings.ts";
import { digits } from "../words/text.ts";

/** A heading that takes the focus when its screen opens, so that a screen reader says where one is. */
export function Title({ children }: { readonly children: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    document.title = `${children} · Siteward`;
    // The way back leads to the row from which a person came.
    if (!restorePlace()) heading.current?.focus({ preventScroll: true });
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

type ButtonProps = Omit<ComponentProps<"button">, "children" | "disabled" | "label"> &
  Readonly<{ label: string; isOff?: boolean }>;

/** A button that sends no form, unless its type says so. One that is off keeps the focus, and does nothing. */
export function Button({ label, isOff = false, onClick, ...others }: ButtonProps) {
  return (
    <button
      type="button"
      aria-disabled={isOff}
      {...others}
      onClick={isOff ? (event) => event.preventDefault() : onClick}
    >
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
    // A button that is off sends nothing.
    if (key === "Enter" && (ctrlKey || metaKey)) currentTarget.querySelector<HTMLElement>("[type=submit]")?.click();
  };
  return (
    <form onSubmit={send} onKeyDown={sendWithKeys} noValidate>
      {children}
    </form>
  );
}

type DialogProps = Readonly<{ title: string; onClose: () => void; children: (close: () => void) => ComponentChildren }>;

/** A dialog that Esc closes too. The focus then returns to what opened it. What was said before is over. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const { notify } = useDesk();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    notify("");
    dialog.current?.showModal();
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby="dialog-title" onClose={onClose}>
      <h2 id="dialog-title">{title}</h2>
      {children(() => dialog.current?.close())}
    </dialog>
  );
}

type SummaryProps = Readonly<{ title: string; lines?: readonly ComponentChildren[]; children?: ComponentChildren }>;

/** A box that takes the focus as soon as it is shown, or says something else. */
export function Summary({ title, lines = none, children }: SummaryProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), [lines]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would name a part of the form
    <div class="summary" tabIndex={-1} ref={box} role="group" aria-labelledby="summary-title">
      <h2 id="summary-title">{title}</h2>
      <ul>
        {lines.slice(0, maxLines).map((line, at) => (
          <li key={at}>{line}</li>
        ))}
      </ul>
      <More of={lines.length} shown={maxLines} />
      {children}
    </div>
  );
}

const none: readonly string[] = [];
/** How many lines a summary has. The others are counted. */
const maxLines = 20;

type FaultsProps = Readonly<{ title: string; faults: Faults | undefined }>;

/** Leads to each field that is wrong, whose ID is its name. */
export function FaultSummary({ title, faults }: FaultsProps) {
  const lines = useMemo(
    () =>
      Object.entries(faults ?? {}).map(([field, messages]) => (
        <Jump key={field} to={field}>
          {labels[field] ?? field}: {messages.join("; ")}
        </Jump>
      )),
    [faults],
  );
  return faults && <Summary title={title} lines={lines} />;
}

/** Names the websites that did not get a change, and says why. */
export function Complaints({ complaints }: { readonly complaints: readonly string[] }) {
  return complaints.length > 0 && <Summary title={`${digits(complaints.length)} failed`} lines={complaints} />;
}

/** Says that not all is shown. */
export function More({ of, shown }: Readonly<{ of: number; shown: number }>) {
  return of > shown && <p class="help">And {digits(of - shown)} more.</p>;
}

/** Says that something went wrong, and offers to do it again. */
export function Failure({ children, onRetry }: { readonly children: string; readonly onRetry: () => void }) {
  return (
    <p class="fault" role="alert">
      {children} <Button label="Try again" onClick={onRetry} />
    </p>
  );
}
