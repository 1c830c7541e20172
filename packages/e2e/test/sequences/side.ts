import type { ServiceAccount } from "@siteward/testing/services/service";
import { keyNames, type PlannedRequest } from "./sequence.ts";

/** A request as it was sent, and its answer as it was received. */
export interface ReceivedAnswer {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** An account with the text of each of its keys. */
interface KeyedAccount extends Pick<ServiceAccount, "baseUrl" | "fetch"> {
  /** In the order of {@link keyNames}. */
  readonly apiKeys: readonly string[];
}

/** An account of one of the services that a sequence is sent to, and what its answers have said. */
export class Side {
  readonly account: KeyedAccount;
  readonly startMs: number;
  readonly #tags: string[] = [];
  readonly #tagsOfPaths = new Map<string, string>();
  readonly #cursors: string[] = [];
  readonly #changes: string[] = [];
  readonly #links: string[] = [];

  constructor(account: KeyedAccount, startMs: number) {
    this.account = account;
    this.startMs = startMs;
  }

  /** The request is decided before anything is awaited, so an answer that arrives later does not change it. */
  async send(request: PlannedRequest): Promise<ReceivedAnswer> {
    const { method, path, key, headers, body } = request;
    const target = this.#resolve(path, path);
    const response = await this.account.fetch(`${this.account.baseUrl}${target}`, {
      method,
      headers: {
        Authorization: `Bearer ${this.account.apiKeys[keyNames.indexOf(key)]}`,
        ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, this.#resolve(value, target)])),
      },
      redirect: "manual",
      ...(body === undefined ? {} : { body }),
    });
    const { status, headers: received } = response;
    const answer = { method, path: target, status, headers: received, body: await response.text() };
    this.#remember(answer);
    return answer;
  }

  /** Replaces the references in a text that is sent to a path. */
  #resolve(text: string, path: string): string {
    if (!text.includes("{{")) return text;
    return text.replaceAll(/\{\{([\w-]+) (\w+)\}\}/g, (_, kind: string, which: string) => {
      const found = this.#find(kind, which === "path" ? path : which);
      return found ?? nothingYet[kind] ?? "";
    });
  }

  #find(kind: string, which: string): string | undefined {
    if (kind === "tag-of") return this.#tagsOfPaths.get(/^\d+$/.test(which) ? `/api/v1/websites/${which}` : which);
    const known: Readonly<Record<string, readonly string[]>> = {
      tag: this.#tags,
      cursor: this.#cursors,
      changes: this.#changes,
      link: this.#links,
    };
    return pickFromEnd(known[kind] ?? [], which);
  }

  #remember({ headers, body, path }: ReceivedAnswer): void {
    const tag = headers.get("ETag");
    if (tag !== null) {
      this.#tags.push(tag);
      const created = headers.get("Location")?.slice(this.account.baseUrl.length);
      this.#tagsOfPaths.set(created ?? path, tag);
    }
    for (const [, cursor = ""] of body.matchAll(/(?:next|prev)_cursor":"([^"]+)"/g)) this.#cursors.push(cursor);
    for (const [, cursor = ""] of body.matchAll(/changes_cursor":"([^"]+)"/g)) this.#changes.push(cursor);
    for (const [, link = ""] of body.matchAll(/"(?:first|prev|next)":"([^"]+)"/g)) {
      if (link.startsWith(this.account.baseUrl)) this.#links.push(link.slice(this.account.baseUrl.length));
    }
  }
}

/** What is sent if no answer had one yet. */
const nothingYet: Readonly<Record<string, string>> = {
  tag: '"0-0-0"',
  "tag-of": '"0-0-0"',
  cursor: "W10",
  changes: "W10",
  link: "/api/v1/websites",
};

/** Returns the newest of the texts, or the one this many before it. */
function pickFromEnd(texts: readonly string[], back: string): string | undefined {
  return texts[texts.length - 1 - (Number(back) % texts.length)];
}
