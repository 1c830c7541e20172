import type { Service, ServiceAccount } from "../service/service.ts";
import { type KeyName, keys, type PlannedRequest, type Sequence } from "./sequence.ts";

/** An answer as it was received. */
export interface ReceivedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** One of the services that a sequence is sent to: its account, and what its answers have said. */
export class Side {
  readonly account: ServiceAccount;
  readonly startMs: number;
  readonly keys: Readonly<Record<KeyName, string>>;
  readonly #tags: string[] = [];
  readonly #tagsOfPaths = new Map<string, string>();
  readonly #cursors: string[] = [];
  readonly #links: string[] = [];

  constructor(service: Service, { websiteLimit, rateLimit }: Sequence) {
    this.account = service.createAccount({ websiteLimit });
    this.startMs = this.account.nowMs();
    const create = (name: KeyName) => this.account.createApiKey({ ...keys[name], rateLimit });
    this.keys = {
      all: create("all"),
      reader: create("reader"),
      writer: create("writer"),
      shortLived: create("shortLived"),
    };
  }

  async send(request: PlannedRequest): Promise<ReceivedAnswer> {
    const { method, path, key, headers, body } = request;
    const target = this.#resolve(path, path);
    const response = await this.account.fetch(`${this.account.baseUrl}${target}`, {
      method,
      headers: {
        ...(key === undefined ? {} : { Authorization: `Bearer ${this.keys[key]}` }),
        ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, this.#resolve(value, target)])),
      },
      redirect: "manual",
      ...(body === undefined ? {} : { body }),
    });
    const answer = { status: response.status, headers: response.headers, body: await response.text() };
    this.#remember(answer, target);
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
    if (kind === "key") return new Map(Object.entries(this.keys)).get(which);
    if (kind === "tag-of") return this.#tagsOfPaths.get(/^\d+$/.test(which) ? `/api/v1/websites/${which}` : which);
    const known: Readonly<Record<string, readonly string[]>> = {
      tag: this.#tags,
      cursor: this.#cursors,
      link: this.#links,
    };
    return pickFromEnd(known[kind] ?? [], which);
  }

  #remember({ headers, body }: ReceivedAnswer, path: string): void {
    const tag = headers.get("ETag");
    if (tag !== null) {
      this.#tags.push(tag);
      const created = headers.get("Location")?.slice(this.account.baseUrl.length);
      this.#tagsOfPaths.set(created ?? path, tag);
    }
    for (const [, cursor = ""] of body.matchAll(/_cursor":"([^"]+)"/g)) this.#cursors.push(cursor);
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
  link: "/api/v1/websites",
};

/** Returns the newest of the texts, or the one this many before it. */
function pickFromEnd(texts: readonly string[], back: string): string | undefined {
  return texts[texts.length - 1 - (Number(back) % texts.length)];
}
