import { connect, type Socket } from "node:net";
import { createHead, form, get, keyed } from "../bytes/raw-requests.ts";

/** How a client is slow. */
interface SlowKind {
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
export const slowKinds: Readonly<Record<string, SlowKind>> = {
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
};

/** A slow client that is connected. */
export interface SlowClient {
  readonly name: string;
  readonly kind: SlowKind;
  /** The local port, which identifies the client. */
  readonly port: number;
  /** Whether the socket is open. Once it is closed, the system can use the port for another one. */
  readonly isOpen: () => boolean;
  /** Called once a second. */
  readonly tick: () => void;
  readonly end: () => void;
}

export async function openSlowClient(
  [name, kind]: readonly [string, SlowKind],
  target: { readonly port: number; readonly apiKey: string },
): Promise<SlowClient> {
  // A slow client keeps its own side open when the server ends the connection.
  const socket = connect({ port: target.port, host: "127.0.0.1", allowHalfOpen: true });
  socket.on("error", () => {});
  if (kind.readsBytes === undefined) socket.resume();
  else socket.pause();
  await waitForConnection(socket);
  const port = socket.localPort ?? 0;
  if (kind.first !== "") socket.write(kind.first.replaceAll("{key}", target.apiKey), "latin1");
  const tick = () => {
    if (kind.drip !== undefined && socket.writable) socket.write(kind.drip, "latin1");
    if (kind.readsBytes !== undefined && kind.readsBytes > 0) socket.read(kind.readsBytes);
  };
  return { name, kind, port, isOpen: () => !socket.destroyed, tick, end: () => void socket.destroy() };
}

function waitForConnection(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once("connect", resolve);
    socket.once("close", () => resolve());
  });
}
