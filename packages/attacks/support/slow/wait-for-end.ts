import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { openConnection } from "@siteward/testing/raw-connection";
import { createHead, form, get, keyed } from "../bytes/raw-requests.ts";

/** How a client is slow. */
interface SlowKind {
  /** Sent immediately. `{key}` is replaced by an API key. */
  readonly first: string;
  /** Sent every second after that. */
  readonly drip?: string;
  /** How many bytes it reads every second. Default: all. */
  readonly readsBytes?: number;
}

const unfinished = "GET /healthz HTTP/1.1\r\nHost: a\r\n";
/**
 * 5 MB in pages of 180 kB. The system buffers up to 4 MB, so the server would finish sending less than that. A page of 1.8 MB
 * takes the server 20 to 30 ms, for which a healthy client waits, however fast the others read.
 */
const pages = get("/api/v1/websites", keyed).repeat(30);

/** All kinds of slow clients. */
const slowKinds: Readonly<Record<string, SlowKind>> = {
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
  junk: { first: "\x16\x03\x01junk\r\n\r\n", drip: "more" },
  "too many requests at a time": { first: get("/healthz").repeat(1_000) },
  "a body that is too large": { first: createHead(form, "Content-Length: 1000000"), drip: "a".repeat(1_000) },
};

/** A slow client that is connected. */
interface SlowClient {
  readonly name: string;
  /** The local port, which identifies the client. */
  readonly port: number;
  /** Whether the socket is open. Once it is closed, the system can use the port for another one. */
  readonly isOpen: () => boolean;
  /** Called once a second. */
  readonly tick: () => void;
  readonly end: () => void;
}

async function openSlowClient(
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
  return { name, port, isOpen: () => !socket.destroyed, tick, end: () => void socket.destroy() };
}

function waitForConnection(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once("connect", resolve);
    socket.once("close", () => resolve());
  });
}

/** Clients connect over 40 seconds. The attack does not test how many pages the server can write in a second. */
const arrivalMs = 16;

export interface SlowTarget {
  readonly port: number;
  readonly apiKey: string;
  readonly count: number;
}

/**
 * Connects slow clients of every kind, and waits until none is left, or the server has ended a connection that became idle after
 * the last of them had come. That is 65 seconds later, and both late on a busy machine.
 *
 * @returns after how many milliseconds all clients of a kind were disconnected; undefined for a kind of which some still are connected
 */
export async function waitForEnd({ port, apiKey, count }: SlowTarget) {
  const kinds = Object.entries(slowKinds);
  const clients: SlowClient[] = [];
  const timer = setInterval(() => {
    for (const { tick } of clients) tick();
  }, 1_000);
  for (let index = 0; index < count; index += 1) {
    const kind = kinds[index % kinds.length];
    if (kind !== undefined) clients.push(await openSlowClient(kind, { port, apiKey }));
    await sleep(arrivalMs);
  }
  const idle = await openConnection(`http://127.0.0.1:${port}`);
  idle.write(get("/healthz"));
  await once(idle, "data");
  const startedAtMs = performance.now();
  const disconnectedMs = new Map<string, number | undefined>();
  const look = () => {
    const held = readClientPorts(port);
    const left = clients.filter(({ port: own, isOpen }) => isOpen() && held.has(own));
    const names = new Set(left.map(({ name }) => name));
    for (const [name] of kinds) {
      if (names.has(name)) disconnectedMs.set(name, undefined);
      else disconnectedMs.set(name, disconnectedMs.get(name) ?? performance.now() - startedAtMs);
    }
    return names.size;
  };
  while (look() > 0 && !idle.closed) await sleep(250);
  clearInterval(timer);
  idle.destroy();
  for (const { end } of clients) end();
  return disconnectedMs;
}

const listening = "0A";

/**
 * Returns the ports of the clients that are still connected to a server on this machine. A connection that the server has
 * closed has no inode, whatever the kernel still does with it.
 */
function readClientPorts(serverPort: number): Set<number> {
  const lines = ["/proc/net/tcp", "/proc/net/tcp6"].flatMap((path) => readLines(path).slice(1));
  const rows = lines.map((line) => line.trim().split(/\s+/));
  const held = rows.filter(
    ([, local, , state, , , , , , inode]) => portOf(local) === serverPort && state !== listening && inode !== "0",
  );
  return new Set(held.map(([, , remote]) => portOf(remote)));
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, "utf8").trim().split("\n");
  } catch {
    // The machine has no IPv6.
    return [];
  }
}

function portOf(address: string | undefined): number {
  return Number.parseInt(address?.split(":")[1] ?? "", 16);
}
