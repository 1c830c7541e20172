import { AbortError, isApiError, type Siteward, type Website } from "@siteward/sdk";
import { toUnicodeDomain } from "@siteward/sdk/unicode";
import { useEffect, useRef, useState } from "preact/hooks";
import { Button, type Faults } from "./parts.tsx";
import { useUnsaved } from "./route.ts";
import type { Version } from "./version.ts";
import { say } from "./words.ts";

type Act<Item, Result> = (item: Item, waitSignal: AbortSignal) => Promise<Result>;

/** What came of a run. */
export interface Outcome<Item, Result> {
  readonly results: readonly Result[];
  readonly failures: readonly (readonly [item: Item, error: unknown])[];
  /** What failed, or was stopped before it was sent. */
  readonly left: readonly Item[];
  /** What is wrong with the values that all items get. Then only the first was sent. */
  readonly faults: Faults | undefined;
}

/** What a dialog needs that does something with websites. */
export interface RunProps<Result> {
  readonly client: Siteward;
  readonly versions: readonly Version[];
  readonly onClose: () => void;
  readonly onDone: (outcome: Outcome<Version, Result>) => void;
}

/** Does something with each item, at the pace of the SDK, until it is stopped or no longer shown. Leaving asks. */
export function useRun() {
  const [finished, setFinished] = useState<number>();
  const stop = useRef(new AbortController());
  useUnsaved(finished !== undefined);
  useEffect(() => () => stop.current.abort(), []);
  const run = async <Item, Result>(items: readonly Item[], act: Act<Item, Result>): Promise<Outcome<Item, Result>> => {
    const results: Result[] = [];
    const failures: [Item, unknown][] = [];
    const done = new Set<Item>();
    stop.current = new AbortController();
    const show = () => setFinished(results.length + failures.length);
    show();
    const timer = setInterval(show, 200);
    const doOne = async (item: Item) => {
      try {
        results.push(await act(item, stop.current.signal));
        done.add(item);
      } catch (error) {
        if (!(error instanceof AbortError)) failures.push([item, error]);
      }
    };
    const [first, ...others] = items;
    if (first !== undefined) await doOne(first);
    const faults = findFaults(failures[0]?.[1]);
    if (faults === undefined) await Promise.all(others.map(doOne));
    clearInterval(timer);
    setFinished(undefined);
    return { results, failures, left: items.filter((item) => !done.has(item)), faults };
  };
  return { finished, run, stop: () => stop.current.abort() };
}

function findFaults(error: unknown): Faults | undefined {
  const isOfAll = isApiError(error, "validation_failed") && !("domain" in error.errors);
  return isOfAll ? error.errors : undefined;
}

type ProgressProps = Readonly<{ finished: number | undefined; total: number; onStop: () => void }>;

export function Progress({ finished, total, onStop }: ProgressProps) {
  if (finished === undefined) return null;
  return (
    <p class="row">
      <progress max={total} value={finished} aria-label="Progress" /> {finished} of {total}
      <Button label="Stop" onClick={onStop} />
    </p>
  );
}

/** How many failures are named. The others are counted. */
const maxNamed = 20;

export type Failed = readonly [website: Website, error: unknown];

export function Failures({ failures }: { readonly failures: readonly Failed[] }) {
  if (failures.length === 0) return null;
  return (
    <div class="summary" role="alert">
      <h2>{failures.length} failed</h2>
      <ul>
        {failures.slice(0, maxNamed).map(([{ domain }, error]) => (
          <li key={domain}>
            {toUnicodeDomain(domain)}: {say(error)}
          </li>
        ))}
        {failures.length > maxNamed && <li>And {failures.length - maxNamed} more.</li>}
      </ul>
    </div>
  );
}
