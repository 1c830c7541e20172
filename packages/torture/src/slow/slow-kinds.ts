import { createHead, form, get, keyed } from "../raw/raw-case.ts";

/** How a client is slow. */
export interface SlowKind {
  /** Sent immediately. `{key}` is replaced by an API key. */
  readonly first: string;
  /** Sent every second after that. */
  readonly drip?: string;
  /** How many bytes it reads every second. Default: all. */
  readonly readsBytes?: number;
  /** Whether the server must end it within 5 seconds instead of 60. */
  readonly endsEarly?: boolean;
  /** An idle connection, as browsers keep them. The server ends it after 65 seconds. */
  readonly isKept?: boolean;
}

const unfinished = "GET /healthz HTTP/1.1\r\nHost: a\r\n";
/**
 * 5 MB in pages of 180 kB. The system buffers up to 4 MB, so the server would finish sending less than that. A page of 1.8 MB
 * takes the server 20 to 30 ms, for which a healthy client waits, however fast the others read.
 */
const pages = get("/api/v1/websites", keyed).repeat(30);

/** All kinds of slow clients. */
export const slowKinds = {
  "headers dripped": { first: unfinished, drip: "X: 1\r\n" },
  "headers never ended": { first: unfinished },
  "nothing sent": { first: "" },
  "half of a request line": { first: "GE" },
  "body dripped": { first: createHead(form, "Content-Length: 60000"), drip: "a" },
  "body never ended": { first: `${createHead(form, "Content-Length: 60000")}domain=` },
  "chunks dripped": { first: createHead(form, "Transfer-Encoding: chunked"), drip: "1\r\na\r\n" },
  "body not sent after 100": { first: createHead(form, "Content-Length: 9", "Expect: 100-continue") },
  "body not sent after 401": { first: "POST /api/v1/websites HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n" },
  "answers not read": { first: pages, readsBytes: 0 },
  "answers read at 1 kB/s": { first: pages, readsBytes: 1_000 },
  junk: { first: "\x16\x03\x01junk\r\n\r\n", drip: "more", endsEarly: true },
  "too many requests at a time": { first: get("/healthz").repeat(1_000), endsEarly: true },
  "a body that is too large": {
    first: createHead(form, "Content-Length: 1000000"),
    drip: "a".repeat(1_000),
    endsEarly: true,
  },
  "kept idle": { first: get("/healthz"), isKept: true },
} as const satisfies Record<string, SlowKind>;
