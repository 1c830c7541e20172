import type { Random } from "@siteward/testing/random";
import type { HttpClient } from "../client/http-client.ts";
import { readMember } from "../client/read-member.ts";
import type { Look } from "./mirror-program.ts";

/** One state of a website. Times are milliseconds since 1970. */
interface Version {
  readonly mark: string;
  /** When a request was sent after which the website could have another state. Infinity if there was none. */
  mayEndMs: number;
  /** When it was acknowledged that the website has another state. Infinity if that is not known. */
  endedMs: number;
}

interface Written {
  readonly createdMs: number;
  readonly versions: Version[];
  isDeleted: boolean;
}

const maxWebsites = 150;

/** Writes websites one at a time, and knows when each of their states was true. */
export class WrittenTruth {
  readonly #websites = new Map<number, Written>();
  /** Domains of creates without an answer, or without one yet. */
  readonly #unknownDomains = new Set<string>();
  #count = 0;
  /** How many writes were acknowledged. */
  acknowledged = 0;

  async write(client: HttpClient, apiKey: string, random: Random): Promise<void> {
    this.#count += 1;
    const alive = [...this.#websites].filter(([, { isDeleted }]) => !isDeleted);
    const [id, website] = alive.length === 0 ? [] : random.pick(alive);
    if (id === undefined || website === undefined || (alive.length < maxWebsites && random.chance(0.3))) {
      await this.#create(client, apiKey);
    } else if (alive.length > maxWebsites / 2 && random.chance(0.2)) {
      await this.#change(website, undefined, () => client.send("DELETE", `${path}/${id}`, { apiKey }));
    } else {
      const mark = String(this.#count);
      const body = { exclude_params: [mark] };
      await this.#change(website, mark, () => client.send("PUT", `${path}/${id}`, { apiKey, body }));
    }
  }

  /** Returns what is wrong with what a mirror serves: each website must have been true at `lastSyncAt` or later. */
  judge({ lastSyncMs, websites }: Look, lookedMs: number): string[] {
    if (lastSyncMs === undefined) return [];
    const found = websites.flatMap(([id, domain, mark]) => this.#judgeServed(id, { domain, mark, lastSyncMs }));
    const served = new Set(websites.map(([id]) => id));
    const missing = [...this.#websites].filter(
      ([id, { createdMs, versions }]) =>
        !served.has(id) && createdMs < lastSyncMs && (versions.at(-1)?.mayEndMs ?? 0) > lookedMs,
    );
    return [...found, ...missing.map(([id]) => `Website ${id} is missing, although it existed before lastSyncAt.`)];
  }

  /** Forgets states that ended long before any mirror can serve them. */
  forgetBefore(timeMs: number): void {
    for (const [id, { versions }] of this.#websites) {
      while ((versions[0]?.endedMs ?? Number.POSITIVE_INFINITY) < timeMs) versions.shift();
      if (versions.length === 0) this.#websites.delete(id);
    }
  }

  #judgeServed(id: number, served: { domain: string; mark: string; lastSyncMs: number }): string[] {
    if (this.#unknownDomains.has(served.domain)) return [];
    const version = this.#websites.get(id)?.versions.find(({ mark }) => mark === served.mark);
    if (version === undefined)
      return [`Website ${id} is served at ${served.mark}, which nobody wrote or which is long over.`];
    if (version.endedMs >= served.lastSyncMs) return [];
    return [
      `Website ${id} is served at ${served.mark}, which was over ${served.lastSyncMs - version.endedMs} ms before lastSyncAt.`,
    ];
  }

  async #create(client: HttpClient, apiKey: string): Promise<void> {
    const [domain, mark] = [`site-${this.#count}.example.com`, String(this.#count)];
    // Before it is sent, because a mirror may serve it before the answer arrives.
    this.#unknownDomains.add(domain);
    const answer = await client
      .send("POST", path, { apiKey, body: { domain, exclude_params: [mark] } })
      .catch(() => undefined);
    const id = answer?.status === 201 ? Number(readMember(answer.json, "data", "id")) : undefined;
    if (id === undefined) return;
    this.#unknownDomains.delete(domain);
    this.acknowledged += 1;
    const version = { mark, mayEndMs: Number.POSITIVE_INFINITY, endedMs: Number.POSITIVE_INFINITY };
    this.#websites.set(id, { createdMs: Date.now(), versions: [version], isDeleted: false });
  }

  /** A website with a change of which nobody knows whether it was made is not written again. */
  async #change(website: Written, mark: string | undefined, send: () => Promise<{ status: number }>): Promise<void> {
    const last = website.versions.at(-1);
    if (last !== undefined) last.mayEndMs = Date.now();
    const next = { mark: mark ?? "", mayEndMs: Number.POSITIVE_INFINITY, endedMs: Number.POSITIVE_INFINITY };
    // Before it is sent, because a mirror may serve it before the answer arrives.
    if (mark !== undefined) website.versions.push(next);
    const answer = await send().catch(() => undefined);
    const isDone = answer !== undefined && answer.status < 300;
    if (mark === undefined || !isDone) website.isDeleted = true;
    if (!isDone) next.mayEndMs = 0;
    if (!isDone) return;
    this.acknowledged += 1;
    for (const version of website.versions) {
      if (version !== next && version.endedMs === Number.POSITIVE_INFINITY) version.endedMs = Date.now();
    }
  }
}

const path = "/api/v1/websites";
