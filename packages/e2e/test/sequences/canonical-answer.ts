import type { ReceivedAnswer, Side } from "./side.ts";

/** An answer in words that all services share. */
export interface CanonicalAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Headers that are not compared: those of the connection, and those for browsers, which the API does not
 * promise. All others must be equal, also those that nobody has thought of.
 */
const uncompared = new Set([
  ...["connection", "content-length", "date", "keep-alive", "transfer-encoding"],
  ...["content-security-policy", "cross-origin-opener-policy", "cross-origin-resource-policy", "referrer-policy"],
  ...["strict-transport-security", "x-content-type-options"],
]);

const randomRequestId = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const time = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
/** The time of the last use is accurate to six minutes, and the server writes it later. */
const lastUse = /(?<="last_used_at":)(null|"[^"]*")/;
const accountId = /(?<=^\{"data":\{"id":)\d+(?=,"name":)/;
const entityTag = /W\/\\?"[^"\\]+\\?"|\\?"\d+-\d+-\d+\\?"/g;
/** Those of changes are also entity tags. They begin with `["changes"`. */
const cursor = /(?<=_cursor":"|[?&]cursor=)[\w-]+|WyJjaGFuZ2Vz[\w-]+/g;

/**
 * Replaces what services may choose freely: random request IDs, base URLs, keys, and the ID of the account. Times become the time
 * since the sequence began. Entity tags and cursors become the number of different ones before them, so two services agree
 * if both get a new tag in the same answers.
 */
export class CanonicalAnswers {
  readonly #side: Side;
  readonly #tags = new Map<string, number>();
  readonly #cursors = new Map<string, number>();

  constructor(side: Side) {
    this.#side = side;
  }

  from({ status, headers, body }: ReceivedAnswer): CanonicalAnswer {
    const requestId = headers.get("X-Request-Id") ?? "";
    const isRandom = randomRequestId.test(requestId);
    const rename = (text: string) => this.#rename(isRandom ? text.replaceAll(requestId, "{request id}") : text);
    const compared = [...headers].filter(([name]) => !uncompared.has(name)).map(([name, text]) => [name, rename(text)]);
    return {
      status,
      headers: Object.fromEntries(compared),
      body: rename(body).replace(accountId, '"{account}"').replace(lastUse, '"{last use}"'),
    };
  }

  #rename(text: string): string {
    const { account, startMs } = this.#side;
    let renamed = text.replaceAll(account.baseUrl, "{base}");
    for (const [index, key] of account.apiKeys.entries()) {
      renamed = renamed.replaceAll(key.slice(0, 12), `{key ${index}}`);
    }
    return renamed
      .replaceAll(
        entityTag,
        (found) => `{${found.startsWith("W/") ? "weak " : ""}tag ${count(this.#tags, found.replaceAll("\\", ""))}}`,
      )
      .replaceAll(cursor, (found) => `{cursor ${count(this.#cursors, found)}}`)
      .replaceAll(time, (found) => `{${Date.parse(found) - startMs} ms}`);
  }
}

/** Returns the number of a text: how many others were seen before it. */
function count(seen: Map<string, number>, text: string): number {
  const number = seen.get(text) ?? seen.size;
  seen.set(text, number);
  return number;
}
