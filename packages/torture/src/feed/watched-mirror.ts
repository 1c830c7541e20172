import { Siteward } from "@siteward/sdk";
import { type MirroredWebsite, mirrorWebsites, type WebsiteChange, type WebsiteMirror } from "@siteward/sdk/mirror";
import type { StoredWebsite } from "../client/stored-websites.ts";

/** How a mirror reaches the service, and what breaks it. */
export interface WatchedMirrorOptions {
  readonly apiKey: string;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** The sabotage: pages of changes lack their first website. */
  readonly losesChanges: boolean;
}

/** A mirror, what it told, and whether that was ever wrong. */
export class WatchedMirror {
  readonly counts = { polls: 0, "without a change": 0, "changes told": 0 };
  readonly violations: string[] = [];
  readonly #told = new Map<number, string>();
  readonly #deleted = new Set<number>();
  #mirror: WebsiteMirror | undefined;
  #isFollowing = false;

  static async start(options: WatchedMirrorOptions): Promise<WatchedMirror> {
    const watched = new WatchedMirror();
    const client = {
      apiKey: options.apiKey,
      // Servers come and go with their ports. The fetch knows where they are.
      baseUrl: "http://siteward.invalid",
      timeoutMs: 2_000,
      fetch: async (url: string, init: RequestInit) => watched.#note(url, await options.fetch(url, init), options),
    };
    watched.#mirror = await mirrorWebsites(new Siteward(client), {
      intervalMs: 10,
      onChange: (change) => watched.#judge(change),
      onError: () => {},
    });
    watched.#isFollowing = true;
    return watched;
  }

  /** Asks until the service answers, and compares the mirror with what is stored. */
  async check(stored: readonly StoredWebsite[]): Promise<string[]> {
    const mirror = this.#mirror;
    if (mirror === undefined) return ["There is no mirror."];
    await syncSoon(mirror);
    const mirrored = new Map([...mirror].map((website) => [website.id, describe(website)]));
    const found = stored
      .filter(({ id, domain, mark }) => mirrored.get(id) !== `${domain} at ${mark}`)
      .map(({ id, domain, mark }) => `Website ${id} is ${domain} at ${mark}, but ${mirrored.get(id)} in the mirror.`);
    const ids = new Set(stored.map(({ id }) => id));
    const extra = [...mirrored].filter(([id]) => !ids.has(id));
    return [...found, ...extra.map(([id, text]) => `Website ${id} is deleted, but ${text} in the mirror.`)];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#mirror?.close();
  }

  /** Once it follows, a mirror must need no list of all websites: reading all again would hide a change that it missed. */
  async #note(url: string, response: Response, { losesChanges }: WatchedMirrorOptions): Promise<Response> {
    this.counts.polls += 1;
    if (response.status === 304) this.counts["without a change"] += 1;
    const isChanges = url.includes("changed_since=");
    if (this.#isFollowing && !isChanges) this.violations.push(`The mirror read all websites again: ${url}`);
    if (!losesChanges || !isChanges || response.status !== 200) return response;
    const body = JSON.parse(await response.text());
    body.data.shift();
    return new Response(JSON.stringify(body), response);
  }

  /** A mirror never goes back: each writer counts its writes up. */
  #judge({ kind, website }: WebsiteChange): void {
    this.counts["changes told"] += 1;
    const [mark = "0"] = website.exclude_params;
    const before = this.#told.get(website.id) ?? "-1";
    if (this.#deleted.has(website.id)) this.violations.push(`Website ${website.id} was ${kind} after it was deleted.`);
    else if (kind === "deleted") this.#deleted.add(website.id);
    else if (Number(mark) <= Number(before)) {
      this.violations.push(`Website ${website.id} was told at ${mark} after it was at ${before}.`);
    }
    this.#told.set(website.id, mark);
  }
}

function describe({ domain, exclude_params: [mark] }: MirroredWebsite): string {
  return `${domain} at ${mark}`;
}

/** A server may be starting. */
async function syncSoon(mirror: WebsiteMirror): Promise<void> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await mirror.sync();
    } catch (error) {
      if (attempts === 10) throw error;
    }
  }
}
