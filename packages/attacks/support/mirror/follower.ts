import { Siteward } from "@siteward/sdk";
import { type MirroredWebsite, mirrorWebsites, type WebsiteChange, type WebsiteMirror } from "@siteward/sdk/mirror";
import type { StoredWebsite } from "../client/stored-websites.ts";

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A mirror that follows the changes of an account, what it told, and whether that was ever wrong. */
export class Follower implements AsyncDisposable {
  readonly counts = { polls: 0, "without a change": 0, "changes told": 0 };
  readonly violations: string[] = [];
  readonly #told = new Map<number, string>();
  readonly #deleted = new Set<number>();
  /** Undefined until it has read all websites. */
  #mirror: WebsiteMirror | undefined;

  /** @param send knows where the servers are, which come and go with their ports */
  static async start(apiKey: string, send: Fetch): Promise<Follower> {
    const follower = new Follower();
    const fetch: Fetch = async (url, init) => follower.#note(url, await send(url, init));
    const client = new Siteward({ apiKey, baseUrl: "http://siteward.invalid", timeoutMs: 2_000, fetch });
    const onChange = (change: WebsiteChange) => follower.#judge(change);
    follower.#mirror = await mirrorWebsites(client, { intervalMs: 10, onChange, onError: () => {} });
    return follower;
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
    const deleted = extra.map(([id, text]) => `Website ${id} is deleted, but ${text} in the mirror.`);
    return [...found, ...deleted, ...this.violations];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#mirror?.close();
  }

  /** Once it follows, a mirror must need no list of all websites: reading all again would hide a change that it missed. */
  #note(url: string, answer: Response): Response {
    this.counts.polls += 1;
    if (answer.status === 304) this.counts["without a change"] += 1;
    const isAll = !url.includes("changed_since=");
    if (isAll && this.#mirror !== undefined) this.violations.push(`The mirror read all websites again: ${url}`);
    return answer;
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
