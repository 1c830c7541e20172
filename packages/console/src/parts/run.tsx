import {
  type Change,
  type Exposure,
  type Run,
  type RunOptions,
  type RunProgress,
  runChanges,
} from "@siteward/sdk/bulk";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { describeExposure } from "../data/changes.ts";
import { journal } from "../data/journal.ts";
import type { Doing } from "../data/journal-store.ts";
import { useUnsaved } from "../data/route.ts";
import { isServerAway, useDesk } from "../data/session.ts";
import type { Row } from "../data/websites.ts";
import { digits } from "../words/text.ts";
import { keepFocus } from "./focus.ts";
import { Button, Dialog, Form, Summary } from "./parts.tsx";

/** What a dialog needs that does something with websites. */
export type RunProps = Readonly<{
  rows: readonly Row[];
  onClose: () => void;
  onDone: (run: Run, doing: Doing) => void;
}>;

/** Requests that are on their way get so long after a stop. What became of the others is unknown. */
const graceMs = 10_000;

/**
 * Makes changes until they are done, stopped, or no longer shown, and keeps each in the journal. Leaving asks.
 *
 * @param onDone called after a run, unless nobody allowed what it exposes
 */
export function useRun(onDone?: RunProps["onDone"]) {
  const { client, id, websites, notify } = useDesk();
  const [shown, setShown] = useState<RunProgress>();
  const [question, setQuestion] = useState<readonly [Exposure, answer: (isAllowed: boolean) => void]>();
  const stopper = useRef(new AbortController());
  // Once all is done, only the list is read again.
  useUnsaved(shown !== undefined && shown.done < shown.total);
  // What was read first can outlast the screen. Its run then ends before it begins.
  useEffect(() => () => stopper.current.abort(), []);
  const ask = (exposure: Exposure, signal: AbortSignal) =>
    new Promise<boolean>((resolve) => {
      const answer = (isAllowed: boolean) => {
        keepFocus();
        setQuestion(undefined);
        resolve(isAllowed);
      };
      signal.addEventListener("abort", () => answer(false));
      setQuestion([exposure, answer]);
    });
  const run = async (changes: readonly Change[], doing: Doing, options: RunOptions = {}): Promise<Run> => {
    // What was said before is over.
    notify("");
    const { signal } = stopper.current;
    const recording = journal.begin(id, doing);
    let progress: RunProgress = { phase: "reading", done: 0, total: changes.length };
    const show = () => setShown({ ...progress });
    show();
    const timer = setInterval(show, 200);
    const done = await runChanges(client, changes, {
      ...{ signal, graceMs, parallel: 6, consent: (exposure) => ask(exposure, signal) },
      ...options,
      onProgress(next) {
        progress = next;
      },
      onOutcome(outcome, index, website) {
        recording.add(outcome);
        const { change, id } = outcome;
        if (outcome.state === "changed") websites.keep(change.action === "create" ? (id ?? 0) : change.id, website);
        options.onOutcome?.(outcome, index, website);
      },
    });
    show();
    // The rows of what was deleted go last: they say where a person was.
    await recording.end();
    await websites.refresh();
    clearInterval(timer);
    stopper.current = new AbortController();
    setShown(undefined);
    // The entry is where the journal has it, for what is left.
    if (done.end !== "declined") onDone?.(done, { ...doing, entry: recording.entry });
    return done;
  };
  const { signal } = stopper.current;
  return { shown, question, isStopping: signal.aborted, run, stop: () => stopper.current.abort() };
}

type RunShown = Readonly<{ run: ReturnType<typeof useRun> }>;

/** How far a run is, and what it asks. */
export function Progress({ run: { shown, question, isStopping, stop } }: RunShown) {
  if (question !== undefined) {
    const [exposure, answer] = question;
    return (
      <Summary title={describeExposure(exposure)}>
        <div class="actions">
          <Button label="Yes, do it" class="danger" onClick={() => answer(true)} />
          <Button label="No, change nothing" onClick={() => answer(false)} />
        </div>
      </Summary>
    );
  }
  if (shown === undefined) return null;
  const { phase, done, total } = shown;
  const far = `${phase === "reading" ? "Reading " : ""}${done} of ${total}`;
  return (
    <p class="row">
      <progress max={total} value={done} aria-label="Progress" />{" "}
      <span role="status">{isServerAway() ? `Waiting for the server, ${total - done} left` : far}</span>
      <Button label={isStopping ? "Stopping …" : "Stop"} onClick={stop} />
    </p>
  );
}

type ActionsProps = RunShown &
  Readonly<{ label: string; class?: string; isOff?: boolean; children?: ComponentChildren }>;

/** The button that sends a form, which starts a run, and how far it is. */
export function RunActions({ run, label, class: kind = "primary", isOff = false, children }: ActionsProps) {
  return (
    <>
      <Progress run={run} />
      <div class="actions">
        <Button type="submit" class={kind} label={label} isOff={isOff || run.shown !== undefined} />
        {children}
      </div>
    </>
  );
}

type Exposed = Parameters<typeof describeExposure>[0];
type RunDialogProps = Parameters<typeof RunActions>[0] &
  Readonly<{ title: string; onClose: () => void; onSend: () => unknown; status: string; exposed?: Exposed }>;

/** A dialog with a form that starts a run, and what comes of that. */
export function RunDialog({ title, onClose, onSend, status, exposed, children, ...actions }: RunDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      {(dismiss) => (
        <Form onSend={onSend}>
          {children}
          <div class="foot">
            <p role="status">
              {status} <span class="fault">{exposed && describeExposure(exposed, false)}</span>
            </p>
            <RunActions {...actions}>
              <Button label="Cancel" onClick={dismiss} />
            </RunActions>
          </div>
        </Form>
      )}
    </Dialog>
  );
}

/** Does what is left of the last run. */
export function LastRun() {
  const { work, finish } = useDesk();
  const { doing, rest } = work;
  const run = useRun(finish);
  if (doing === undefined) return null;
  const goOn = () => void run.run(rest, doing, { acceptsMissing: doing.verb === "deleted" });
  return (
    <>
      <Button label={`Continue with the ${digits(rest.length)} left`} onClick={goOn} />
      {run.shown !== undefined && (
        <Dialog title="Changing websites" onClose={run.stop}>
          {() => <Progress run={run} />}
        </Dialog>
      )}
    </>
  );
}
