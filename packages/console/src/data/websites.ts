import type { Siteward } from "@siteward/sdk";
import { type MirroredWebsite, mirrorWebsites, type WebsiteMirror } from "@siteward/sdk/mirror";
import { useLayoutEffect, useState } from "preact/hooks";

/** A website as the server has it. */
export type Row = MirroredWebsite;

/** More would fill the memory of a phone. */
export const maxWebsites = 200_000;
const pollMs = 15_000;
/** The mirror asks when it is told to, so that a page that nobody sees asks nothing. */
const neverMs = 86_400_000;

/** All websites of an account. Rows, filters, counts and selections read it, so none of them is a copy that grows old. */
export class Websites {
  /** How many there are, as the server has said. Undefined before. */
  total: number | undefined;
  isComplete = false;
  /** Whether the last question was not answered, so that this is what the server said before. */
  isStale = false;
  /** While they are read for the first time: those so far. If there are more than are shown: these. */
  #read: ReadonlyMap<number, Row> = new Map();
  #newest: Map<number, Row> | undefined;
  #mirror: WebsiteMirror | undefined;
  #opened: Promise<void> | undefined;
  #sorted: Partial<Record<"id" | "domain", readonly Row[]>> = {};
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #listeners = new Set<() => void>();
  readonly #client: Siteward;
  readonly #signal: AbortSignal;

  constructor(client: Siteward, signal: AbortSignal) {
    this.#client = client;
    this.#signal = signal;
  }

  /** Reads all websites once, and follows their changes as long as the page is seen. @returns what ends that */
  follow(): () => void {
    this.#opened ??= this.#open();
    const ask = () => {
      if (document.visibilityState === "visible") void this.refresh();
    };
    const timer = setInterval(ask, pollMs);
    document.addEventListener("visibilitychange", ask);
    ask();
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", ask);
    };
  }

  /** Asks what has changed, so that all that was acknowledged before is here. What fails is seen as `isStale`. */
  async refresh(): Promise<void> {
    try {
      await this.#mirror?.sync();
      // Before there is a mirror, what reads the first time says it.
      if (this.#mirror !== undefined) this.isStale = false;
    } catch {
      this.isStale = true;
    }
    this.#tellSoon(0);
  }

  /** Takes what a change has made of a website, which nobody tells if not all are followed. */
  keep(id: number, website: Row | undefined): void {
    if (website === undefined) this.#newest?.delete(id);
    else this.#newest?.set(id, website);
  }

  get(id: number): Row | undefined {
    return this.#mirror?.byId(id) ?? this.#read.get(id);
  }

  /** @param text a domain, or a URL with one */
  find(text: string): Row | undefined {
    const host = hostOf(text);
    // While they are read, and if not all are followed, there is no mirror.
    return this.#mirror?.byHost(host) ?? this.sorted("domain").find(({ domain }) => domain === host);
  }

  has(domain: string): boolean {
    return this.#mirror?.byDomain(domain) !== undefined;
  }

  /** All rows, oldest first or by domain. The array is the same until something changes. */
  sorted(by: "id" | "domain"): readonly Row[] {
    this.#sorted[by] ??= [...(this.#mirror ?? this.#read.values())].sort((one, other) =>
      one[by] < other[by] ? -1 : 1,
    );
    return this.#sorted[by];
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async #open(): Promise<void> {
    const enough = new AbortController();
    const signal = AbortSignal.any([this.#signal, enough.signal]);
    const onRead = (read: ReadonlyMap<number, Row>, total: number) => {
      this.#read = read;
      this.total = total;
      // To draw 200,000 takes half a second.
      this.#tellSoon(Math.max(250, read.size / 50));
      if (read.size >= maxWebsites && total > read.size) enough.abort();
    };
    const onError = () => {
      this.isStale = true;
      this.#tellSoon(0);
    };
    const onChange = () => this.#tellSoon(0);
    try {
      this.#mirror = await mirrorWebsites(this.#client, { signal, onRead, onChange, onError, intervalMs: neverMs });
      this.total = this.#mirror.size;
    } catch {
      // The key was forgotten, or these are as many as are shown.
      this.#newest = new Map(this.#read);
      this.#read = this.#newest;
    }
    this.isStale = false;
    this.isComplete = !this.#signal.aborted;
    this.#tellSoon(0);
  }

  /** A sync reports each change by itself. One drawing is enough. */
  #tellSoon(delayMs: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#sorted = {};
      for (const listener of this.#listeners) listener();
    }, delayMs);
  }
}

/** People paste what they see: a URL, capitals, a port. */
export function hostOf(text: string): string {
  const bare = text
    .trim()
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, "");
  return bare.replace(/[/?#:].*$/, "");
}

/** Returns what is searched for, which stands in domains with `www.` and without. */
export const toTerm = (text: string) => hostOf(text).replace(/^www\./, "");

/** Draws again whenever a website has changed. Returns how often that was, as a dependency of what is derived. */
export function useChanges(websites: Websites): number {
  const [round, setRound] = useState(0);
  // An effect would miss what changes before it.
  useLayoutEffect(() => websites.listen(() => setRound((count) => count + 1)), [websites]);
  return round;
}
