import { findBodyReader, readBodyText } from "@siteward/service";
import type { SentRequest } from "../service/sent-request.ts";
import type { FakeRequest } from "./fake-request.ts";

/** More than a test looks at. Then the oldest is forgotten. */
const maxRequests = 10_000;

/** A request, which most tests never look at: then it is not worth its headers, query and body in a readable form. */
interface Recorded {
  readonly received: SentRequest;
  status: number | undefined;
  shown: (FakeRequest & { status: number | undefined }) | undefined;
}

/** The newest requests, in the order in which they arrived. */
export class RecordedRequests {
  readonly #requests: Recorded[] = [];

  get all(): readonly FakeRequest[] {
    return this.#requests.map((recorded) => {
      recorded.shown ??= show(recorded);
      return recorded.shown;
    });
  }

  /** @returns a function that notes the status of the answer */
  add(received: SentRequest): (status: number) => void {
    const recorded: Recorded = { received, status: undefined, shown: undefined };
    this.#requests.push(recorded);
    if (this.#requests.length > maxRequests) this.#requests.shift();
    return (status) => {
      recorded.status = status;
      if (recorded.shown !== undefined) recorded.shown.status = status;
    };
  }
}

function show({ received, status }: Recorded): NonNullable<Recorded["shown"]> {
  const { method, url, headers } = received;
  return {
    method,
    url: url.href,
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: Object.fromEntries(headers),
    body: readBody(received),
    status,
  };
}

function readBody({ method, headers, body }: SentRequest): unknown {
  if (body.byteLength === 0) return undefined;
  const text = new TextDecoder().decode(body);
  try {
    const fields = readBodyText(
      findBodyReader({ method, contentType: headers.get("Content-Type") ?? undefined }),
      text,
    );
    // Fields of a form are in an object without a prototype, which assertions print and compare differently.
    return structuredClone(fields);
  } catch {
    return text;
  }
}
