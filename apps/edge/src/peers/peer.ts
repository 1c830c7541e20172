import { editAt } from "../edits/json.ts";
import type { Fields } from "../edits/parameters.ts";

/** Some peers know websites by their domain, and some believe an address and a user agent that a visit has. */
type Part = "page" | "referrer" | "domain" | "ip" | "userAgent";

/** A visit as the peer understands it. */
export interface Visit extends Readonly<Partial<Record<Part, string | undefined>>> {
  set(part: Part, value: string): void;
}

/** A request that reports visits. `type`: that of its body, as it says. */
export interface CollectRequest extends Readonly<Record<"method" | "type" | "query" | "body", string>> {
  readonly referer: string | undefined;
  readonly origin: string | undefined;
  /** Whether it is from one of SITEWARD_EDGE_TRUST_PROXY, which may say for whom it speaks. */
  readonly isTrusted: () => boolean;
}

/** The body is text of Latin-1. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** How an analytics system collects visits. */
export interface Peer {
  /** Where it does: in a path that is decoded, with single slashes and without dots. */
  readonly paths: RegExp;
  /** @throws SyntaxError if it is not what the peer reads, RangeError if it is too much */
  read(request: CollectRequest): Report;
  /** Answers as the peer does, so that no tracker tries again. @param count how many visits are dropped */
  answer(request: CollectRequest, count: number): Answer;
}

export interface Report {
  readonly visits: readonly Visit[];
  /** Returns what changes in the request, with what was set and without the visits that are not kept. */
  write(kept: readonly boolean[]): Partial<CollectRequest>;
}

/** Reads a report of many visits, which are at a path of a JSON body. @throws SyntaxError, RangeError */
export function readEach(body: string, path: string[], read: (json: string) => readonly [Fields, Visit]): Report {
  JSON.parse(body);
  const all: (readonly [Fields, Visit])[] = [];
  editAt(body, [...path, "*"], (json) => {
    if (all.push(read(json)) > 1_000) throw new RangeError("There are too many visits.");
    return undefined;
  });
  if (all.length === 0) throw new SyntaxError("There is no visit.");
  const write = (kept: readonly boolean[]) => {
    const texts = all.map(([{ text }], index) => (kept[index] ? text : undefined));
    return { body: editAt(body, [...path, "*"], () => texts.shift()) ?? "" };
  };
  return { visits: all.map(([, visit]) => visit), write };
}

/** Reads a visit by the names of its fields. @param base what comes in front of a path */
export function readVisit(fields: Fields, names: Partial<Record<Part, string>>, base = ""): Visit {
  const read = (part: Part) => (names[part] && fields.get(names[part])) || undefined;
  const isPath = (text = "") => base !== "" && /^[/?](?![/\\])/.test(text);
  const resolve = (text: string | undefined) => {
    if (!text || /^[a-z][a-z\d+.-]*:/i.test(text)) return text;
    return isPath(text) ? base + text : (URL.parse(text, base)?.href ?? text);
  };
  return {
    ...{ page: resolve(read("page") ?? (base && "/")), referrer: resolve(read("referrer")) },
    ...{ domain: read("domain"), ip: read("ip"), userAgent: read("userAgent") },
    set: (part, value) => fields.set(names[part] ?? "", isPath(read(part)) ? value.slice(base.length) : value),
  };
}

export const anyOrigin = { "Access-Control-Allow-Origin": "*" };
