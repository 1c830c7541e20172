import { Privacy } from "@siteward/sdk";
import { type Outcome, type Undo, undoOf, type Version } from "@siteward/sdk/bulk";
import { many } from "../words/text.ts";
import { complain } from "./changes.ts";
import { isDone } from "./edits.ts";
import { type Batch, browserStore, type Doing, type Step } from "./journal-store.ts";

const maxEntries = 200;
/** About 20 MB, and as much again if all is taken back. */
const maxSteps = 50_000;
const stamp = () => Date.now() + Math.random();

/** What was done in this browser, by account. */
export class Journal {
  /** Whether the browser has all that was read last. What it refuses is forgotten with the page. */
  isKept = true;
  readonly #store: typeof browserStore;
  /** What is on its way to the store, and what it has refused. */
  readonly #unwritten = new Set<Batch>();
  #written: Promise<unknown> = Promise.resolve();

  constructor(store: typeof browserStore) {
    this.#store = store;
  }

  /** Returns what writes down what is done while it is done. */
  begin(account: string, { verb, title, entry = stamp() }: Doing) {
    let steps: Step[] = [];
    let isWriting = false;
    const flush = () => {
      if (steps.length === 0) return;
      const batch = { account, entry, part: stamp(), verb, title, steps };
      steps = [];
      this.#unwritten.add(batch);
      const kept = this.#store.add(batch).then(() => this.#unwritten.delete(batch));
      isWriting = true;
      this.#written = Promise.allSettled([this.#written, kept]).then(() => {
        isWriting = false;
        flush();
      });
    };
    const add = (outcome: Outcome) => {
      // An undo with nothing left to do is done, and of what is gone, nobody knows who has deleted it.
      if (outcome.state !== "already" || verb !== "changed") steps.push(toStep(outcome, verb));
      // What comes while a batch is written is the next one.
      if (!isWriting) flush();
    };
    const end = async () => {
      removeEventListener("pagehide", flush);
      flush();
      await this.#written;
      // Drops what is too much. With 50,000 steps it takes a while, so nobody waits.
      void this.read(account);
    };
    addEventListener("pagehide", flush);
    return { entry, add, end };
  }

  /** Returns the entries of an account, last first. If there are too many, the oldest are dropped. */
  async read(account: string): Promise<readonly Batch[]> {
    await this.#written;
    const here = [...this.#unwritten].filter((batch) => batch.account === account);
    const stored = await this.#store.all(account).catch(() => undefined);
    this.isKept = stored !== undefined && here.length === 0;
    const entries = toEntries([...(stored ?? []), ...here]);
    let count = 0;
    const excess = entries.find(({ steps }, at) => {
      count += steps.length;
      return at > 0 && (at >= maxEntries || count > maxSteps);
    });
    if (excess === undefined) return entries;
    // If the browser refuses, they are dropped when it is read again.
    await this.forget(account, excess.entry).catch(() => {});
    return entries.slice(0, entries.indexOf(excess));
  }

  /** Rejects if the browser refuses, since what it has kept is still there. @param last the newest entry to forget */
  async forget(account: string, last = Number.POSITIVE_INFINITY): Promise<void> {
    for (const one of this.#unwritten) if (one.account === account && one.entry <= last) this.#unwritten.delete(one);
    await this.#store.drop(account, last);
  }
}

export const journal = new Journal(browserStore);

function toStep(outcome: Outcome, verb: Doing["verb"]): Step {
  const { state, reason, before, fields, now } = outcome;
  const change = { ...outcome.change, set: {}, edit: {}, only: undefined, tried: undefined };
  // Whoever takes it back needs to know that there was a password.
  const kept = fields?.password === undefined ? fields : { ...fields, password: "(not kept)" };
  const text = state === "changed" || (state === "already" && !reason) ? "" : complain(outcome);
  const isOpen = verb !== "restored" || state === "failed" || state === "unknown";
  return { change, state, before, fields: kept, now: now && { tag: now.tag }, text, isOpen };
}

/** Returns a batch for each entry. An undo, the last verb, is none: it says what became of one, and goes with it. */
function toEntries(batches: readonly Batch[]): Batch[] {
  const sorted = batches.toSorted((one, other) => other.entry - one.entry || one.verb.localeCompare(other.verb));
  return [...Map.groupBy(sorted, ({ entry }) => entry).values()].flatMap(([first, ...more]) =>
    first === undefined || first.verb === "restored" ? [] : [{ ...first, steps: merge([first, ...more]) }],
  );
}

/** Returns what became of each website. What was done, taken back or left alone stays so. */
function merge(batches: readonly Batch[]): Step[] {
  const all = new Map<string, Step>();
  for (const { verb, step } of batches.flatMap(({ verb, steps }) => steps.map((step) => ({ verb, step })))) {
    const { domain } = step.change;
    const made = all.get(domain);
    if (verb !== "restored" && made?.state !== "changed") all.set(domain, step);
    if (verb !== "restored" || !made?.isOpen) continue;
    const undone = undoOf([made]).withoutPassword.length > 0 ? "made private" : "undone";
    all.set(domain, { ...made, text: step.text || undone, isOpen: step.isOpen });
  }
  return [...all.values()];
}

/** Returns what takes back those that are open, also if only something else was changed since, as versions show. */
export function toUndo(steps: readonly Step[], versions: ReadonlyMap<number, Version> = new Map()): Undo {
  const onVersion = (step: Step): Step => {
    const now = "id" in step.change ? versions.get(step.change.id) : undefined;
    const { password: _, ...set } = step.fields ?? {};
    return now && isDone({ set }, now.website) ? { ...step, now: { tag: now.tag } } : step;
  };
  return undoOf(steps.filter(({ isOpen }) => isOpen).map(onVersion));
}

/** Such as `2 passwords cannot come back. With Undo, those websites become Private.` Empty if none is lost. */
export function describeLost({ changes, withoutPassword, impossible }: Undo): string {
  const count = withoutPassword.length + impossible.length;
  const closes = withoutPassword.length > 0 && changes.some(({ edit }) => edit.set?.privacy === Privacy.Private);
  const then = closes ? ` With Undo, ${count === 1 ? "that website becomes" : "those websites become"} Private.` : "";
  return count === 0 ? "" : `${many(count, "password")} cannot come back.${then}`;
}
