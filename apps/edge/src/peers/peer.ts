import type { Fields } from "../edits/parameters.ts";

/** A visit as the peer understands it. */
export interface Visit {
  readonly page: string | undefined;
  readonly referrer?: string | undefined;
  /** The domain of the website, for a peer that knows websites by their domain. */
  readonly domain?: string | undefined;
  /** What the peer believes instead of the address of the connection, and of the header `User-Agent`. */
  readonly ip?: string | undefined;
  readonly userAgent?: string | undefined;
  set(part: "page" | "referrer", url: string): void;
}

/** The parts of a request that report visits. */
export interface Sent {
  readonly query: string;
  readonly body: string;
  readonly referer: string | undefined;
}

export interface CollectRequest extends Sent {
  readonly method: string;
  readonly origin: string | undefined;
  /** Whether it is from one of SITEWARD_EDGE_TRUST_PROXY, which may say for whom it speaks. */
  readonly isTrusted: boolean;
}

export interface Report {
  readonly visits: readonly Visit[];
  /** Returns what changes in the request, with what was set, and without the visits that are not kept. */
  write(kept: readonly boolean[]): Partial<Sent>;
}

/** Its body is text of Latin-1. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** How an analytics system collects visits. */
export interface Peer {
  /** Where it does, decoded, with single slashes and without dots. */
  readonly paths: RegExp;
  /** @throws SyntaxError if it is not what the peer reads */
  read(request: CollectRequest): Report;
  /** Answers as the peer does, so that no tracker tries again. @param count how many visits are dropped */
  answer(request: CollectRequest, count: number): Answer;
}

/** Reports a visit for each of these parts of a request. @param write gets the texts of those that are kept */
export function reportOf<Part extends Fields>(
  parts: readonly Part[],
  read: (part: Part) => Visit,
  write: (texts: readonly (string | undefined)[]) => Partial<Sent>,
): Report {
  const textsOf = (kept: readonly boolean[]) => parts.map(({ text }, index) => (kept[index] ? text : undefined));
  return { visits: parts.map(read), write: (kept) => write(textsOf(kept)) };
}

export const anyOrigin = { "Access-Control-Allow-Origin": "*" };
