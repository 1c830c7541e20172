import type { Website } from "@siteward/contract/types";
import type { CallOptions } from "../options/call-options.ts";
import type { Siteward } from "../siteward.ts";
import type { Change, Version } from "./change.ts";
import { countExposure, type Exposure } from "./exposure.ts";
import { isAborted } from "./failure.ts";
import type { Outcome } from "./outcome.ts";
import { readVersions } from "./read-versions.ts";
import { Sender } from "./send.ts";

/** How far a run is. */
export interface RunProgress {
  readonly phase: "reading" | "sending";
  readonly done: number;
  readonly total: number;
}

/** How changes are carried out. */
export interface RunOptions {
  /** Ends the run: nothing more is sent. What has been sent is waited for, for `graceMs`. */
  readonly signal?: AbortSignal | undefined;
  /** For how long, in milliseconds. What is not answered then is `unknown`. Default: as long as it takes */
  readonly graceMs?: number | undefined;
  /** How many changes are sent at the same time. The first is sent alone. Default: 8 */
  readonly parallel?: number | undefined;
  /** How often a request is repeated while the service is away. Default: 30, which takes about 2 minutes */
  readonly maxRetries?: number | undefined;
  /** Whether the run ends when this website is refused. An error that all would meet always ends it. Default: no */
  readonly stopsAt?: ((refused: Outcome) => boolean) | undefined;
  /** Whether a website that is to be deleted, and is gone, counts as `already`. Default: it is refused */
  readonly acceptsMissing?: boolean | undefined;
  /** Websites that the caller has read for this run, by ID. The others are read first. */
  readonly known?: ReadonlyMap<number, Version> | undefined;
  /** Asked before anything is sent, if something becomes public or a password is lost. Default: it is allowed */
  readonly consent?: ((exposure: Exposure) => boolean | Promise<boolean>) | undefined;
  readonly onProgress?: ((progress: RunProgress) => void) | undefined;
  /** Called with each outcome, and the website if it was created or updated, or needed no change. */
  readonly onOutcome?: ((outcome: Outcome, index: number, website: Website | undefined) => void) | undefined;
}

/** What became of several changes. */
export interface Run {
  /** In the order of the changes. */
  readonly outcomes: readonly Outcome[];
  /** Why not all were tried: it was stopped, nobody agreed, or there was an error that every change would meet. */
  readonly end: "done" | "stopped" | "declined" | "refused" | "error";
  /** The change that ended the run: of several, the first. */
  readonly culprit?: Outcome | undefined;
  /** The error that ended the run. */
  readonly error?: unknown;
  /** What can be done by another run, also with another client: what was not tried, failed, or is unknown. */
  readonly rest: readonly Change[];
}

/**
 * Brings many websites to where they are wanted, each decided on what the service said of it in this run. It does not
 * reject because of the service: what was done is in the result, to be shown, undone, or continued.
 *
 * @example
 * const edit = { add: { exclude_ips: ["203.0.113.7"] } };
 * const run = await runChanges(siteward, [{ action: "update", id: 7, domain: "example.com", edit }]);
 * const later = await runChanges(siteward, run.rest);
 */
export async function runChanges(
  siteward: Siteward,
  changes: readonly Change[],
  options: RunOptions = {},
): Promise<Run> {
  return await new Runner(siteward.withOptions({ maxRetries: options.maxRetries ?? 30 }), changes, options).run();
}

type Numbered = readonly [index: number, change: Change];

class Runner {
  readonly #siteward: Siteward;
  readonly #changes: readonly Change[];
  readonly #options: RunOptions;
  /** What ends the run: first what waits to be sent, then what was sent. */
  readonly #wait: AbortController = new AbortController();
  readonly #send: AbortController = new AbortController();
  readonly #sender: Sender;
  readonly #calls: CallOptions;
  readonly #outcomes: Outcome[];
  #done = 0;
  #culprit: number | undefined;

  constructor(siteward: Siteward, changes: readonly Change[], options: RunOptions) {
    this.#siteward = siteward;
    this.#changes = changes;
    this.#options = options;
    const calls = { waitSignal: this.#wait.signal };
    this.#calls = options.graceMs === undefined ? calls : { ...calls, signal: this.#send.signal };
    this.#sender = new Sender(siteward, this.#calls, options.acceptsMissing === true);
    this.#outcomes = changes.map((change) => ({ change, state: "not_tried" }));
  }

  async run(): Promise<Run> {
    const { signal, graceMs } = this.#options;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = (): void => {
      this.#wait.abort();
      if (graceMs !== undefined) timer = setTimeout(() => this.#send.abort(), graceMs);
    };
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop, { once: true });
    const run = await this.#carryOut().finally(() => signal?.removeEventListener("abort", stop));
    clearTimeout(timer);
    return run;
  }

  async #carryOut(): Promise<Run> {
    let versions: ReadonlyMap<number, Version>;
    try {
      versions = await this.#read();
    } catch (error) {
      return this.#result(isAborted(error) ? { end: "stopped" } : { end: "error", error });
    }
    const versionOf = (change: Change): Version | undefined =>
      change.action === "update" ? versions.get(change.id) : undefined;
    if (this.#wait.signal.aborted) return this.#result({ end: "stopped" });
    if (!(await this.#isAllowed(versionOf))) return this.#result({ end: "declined" });
    this.#show("sending", 0);
    const parts = Map.groupBy(this.#changes.entries(), ([, { action }]) => action === "delete");
    // A failure halfway leaves websites too many rather than too few.
    for (const isDelete of [false, true]) await this.#sendAll(parts.get(isDelete) ?? [], versionOf);
    const culprit = this.#culprit === undefined ? undefined : this.#outcomes[this.#culprit];
    if (culprit === undefined) return this.#result({ end: this.#wait.signal.aborted ? "stopped" : "done" });
    return this.#result({ end: culprit.state === "refused" ? "refused" : "error", culprit, error: culprit.error });
  }

  async #read(): Promise<ReadonlyMap<number, Version>> {
    const { known = new Map(), parallel } = this.#options;
    const updates = this.#changes.filter((change) => change.action === "update");
    const ids = new Set(updates.map(({ id }) => id).filter((id) => !known.has(id)));
    if (ids.size === 0) return known;
    const onRead = (done: number): void => this.#show("reading", done, ids.size);
    onRead(0);
    const { versions } = await readVersions(this.#siteward, { ids }, { ...this.#calls, parallel, onRead });
    return known.size === 0 ? versions : new Map([...known, ...versions]);
  }

  async #isAllowed(versionOf: (change: Change) => Version | undefined): Promise<boolean> {
    const { consent = () => true } = this.#options;
    const exposure = countExposure(this.#changes, (change) => versionOf(change)?.website);
    return Object.values(exposure).flat().length === 0 || (await consent(exposure));
  }

  /** So many workers take one change after the other: what waits has no promise, no listener and no timer. */
  async #sendAll(part: readonly Numbered[], versionOf: (change: Change) => Version | undefined): Promise<void> {
    const work = async (queue: Iterable<Numbered>): Promise<void> => {
      for (const [at, change] of queue) {
        if (this.#wait.signal.aborted) return;
        const { outcome, website } = await this.#sender.send(change, versionOf(change));
        this.#note(at, outcome, website);
      }
    };
    // What is wrong with all of them is found by one request.
    await work(part.slice(0, 1));
    const queue = part.slice(1).values();
    await Promise.all(Array.from({ length: Math.max(1, this.#options.parallel || 8) }, () => work(queue)));
  }

  #note(at: number, outcome: Outcome, website: Website | undefined): void {
    const { stopsAt, onOutcome, signal } = this.#options;
    this.#outcomes[at] = outcome;
    const { state } = outcome;
    if (state === "not_tried") return;
    const isEnd = (state === "failed" || state === "unknown") && signal?.aborted !== true;
    if (isEnd || (state === "refused" && stopsAt?.(outcome) === true)) {
      this.#culprit = Math.min(this.#culprit ?? at, at);
      this.#wait.abort();
    }
    this.#done += 1;
    this.#show("sending", this.#done);
    onOutcome?.(outcome, at, website);
  }

  #show(phase: RunProgress["phase"], done: number, total = this.#changes.length): void {
    this.#options.onProgress?.({ phase, done, total });
  }

  #result(end: Pick<Run, "end" | "culprit" | "error">): Run {
    const left = this.#outcomes.filter(({ state }) => ["not_tried", "failed", "unknown"].includes(state));
    return { outcomes: this.#outcomes, ...end, rest: left.map(({ change }) => change) };
  }
}
