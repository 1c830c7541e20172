import {
  type Change,
  type Exposure,
  type Run,
  type RunOptions,
  type RunProgress,
  runChanges,
  undoOf,
  type Version,
} from "@siteward/sdk/bulk";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { describeExposure, type Work } from "../data/changes.ts";
import { useUnsaved } from "../data/route.ts";
import { isServerAway, useDesk } from "../data/session.ts";
import { Button, Dialog, Report, Summary } from "./parts.tsx";

/** What a dialog needs that does something with websites. */
export type RunProps = Readonly<{ versions: readonly Version[]; onClose: () => void; onDone: (run: Run) => void }>;

/** Requests that are on their way get so long after a stop. What became of the others is unknown. */
const graceMs = 10_000;

/** Makes changes until they are done, stopped, or no longer shown. Leaving asks. */
export function useRun() {
  const { client } = useDesk();
  const [shown, setShown] = useState<RunProgress>();
  const [question, setQuestion] = useState<readonly [Exposure, answer: (isAllowed: boolean) => void]>();
  const stopper = useRef(new AbortController());
  useUnsaved(shown !== undefined);
  useEffect(() => () => stopper.current.abort(), []);
  const run = async (changes: readonly Change[], options: RunOptions = {}): Promise<Run> => {
    stopper.current = new AbortController();
    const { signal } = stopper.current;
    let progress: RunProgress = { phase: "reading", done: 0, total: changes.length };
    const show = () => setShown({ ...progress });
    show();
    const timer = setInterval(show, 200);
    const consent = (exposure: Exposure) =>
      new Promise<boolean>((resolve) => {
        const answer = (isAllowed: boolean) => {
          setQuestion(undefined);
          resolve(isAllowed);
        };
        signal.addEventListener("abort", () => answer(false));
        setQuestion([exposure, answer]);
      });
    const onProgress = (next: RunProgress) => {
      progress = next;
    };
    const done = await runChanges(client, changes, { signal, graceMs, parallel: 6, consent, ...options, onProgress });
    clearInterval(timer);
    setShown(undefined);
    return done;
  };
  const { signal } = stopper.current;
  return { shown, question, isStopping: signal.aborted, run, stop: () => stopper.current.abort() };
}

/** How far a run is, and what it asks. */
function Progress({ run: { shown, question, isStopping, stop } }: RunShown) {
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

/** Takes back the last run, or does what is left of it. */
export function LastRun() {
  const { work, finish } = useDesk();
  const { verb, made, rest } = work;
  const undo = useMemo(() => undoOf(made), [made]);
  const run = useRun();
  const start = async (changes: readonly Change[], doing: string) => {
    const done = await run.run(changes, { acceptsMissing: doing === "deleted" });
    if (done.end !== "declined") finish(doing, done, doing === verb);
  };
  const goOn = () => void start(rest, verb);
  return (
    <>
      {verb === "changed" && undo.changes.length > 0 && (
        <Button label="Undo the change" onClick={() => void start(undo.changes, "restored")} />
      )}
      {rest.length > 0 && (
        <Button label={`Continue with the ${rest.length.toLocaleString("en")} left`} onClick={goOn} />
      )}
      {run.shown !== undefined && (
        <Dialog title="Changing websites" onClose={run.stop}>
          {() => <Progress run={run} />}
        </Dialog>
      )}
    </>
  );
}

type RunShown = Readonly<{ run: ReturnType<typeof useRun> }>;
type ActionsProps = RunShown &
  Readonly<{ label: string; class?: string; isOff?: boolean; children?: ComponentChildren }>;

/** The button that sends a form, which starts a run, and how far it is. */
export function RunActions({ run, label, class: kind = "primary", isOff = false, children }: ActionsProps) {
  return (
    <>
      <div class="actions">
        <button type="submit" class={kind} disabled={isOff || run.shown !== undefined}>
          {label}
        </button>
        {children}
      </div>
      <Progress run={run} />
    </>
  );
}

/** How many failures are named. The others are counted. */
const maxNamed = 20;

export function Complaints({ complaints }: Pick<Work, "complaints">) {
  if (complaints.length === 0) return null;
  const others = complaints.length - maxNamed;
  const lines = [...complaints.slice(0, maxNamed), ...(others > 0 ? [`And ${others} more.`] : [])];
  return <Report title={`${complaints.length} failed`} lines={lines} />;
}
