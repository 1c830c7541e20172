import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { openSlowClient, type SlowClient, slowKinds } from "./slow-clients.ts";

/** Clients connect over 40 seconds. The attack does not test how many pages the server can write in a second. */
const arrivalMs = 16;
const maxStayMs = 60_000;
const maxEarlyStayMs = 5_000;

export interface SlowTarget {
  readonly port: number;
  readonly apiKey: string;
  readonly count: number;
  /** Whether only the kinds take part that end early. The server waits 10 to 30 seconds for the others. */
  readonly isShort: boolean;
}

/**
 * Connects slow clients of every kind, and waits until none is left, or the time is over. The time starts when the last one has
 * connected.
 *
 * @returns after how many milliseconds all clients of a kind were disconnected; undefined for a kind of which some still are connected
 */
export async function waitForEnd({ port, apiKey, count, isShort }: SlowTarget) {
  const kinds = Object.entries(slowKinds).filter(([, { endsEarly }]) => !isShort || endsEarly);
  const clients: SlowClient[] = [];
  const timer = setInterval(() => {
    for (const { tick } of clients) tick();
  }, 1_000);
  for (let index = 0; index < count; index += 1) {
    const kind = kinds[index % kinds.length];
    if (kind !== undefined) clients.push(await openSlowClient(kind, { port, apiKey }));
    await sleep(arrivalMs);
  }
  const startedAtMs = performance.now();
  const disconnectedMs = new Map<string, number | undefined>();
  const look = () => {
    const held = readClientPorts(port);
    const left = clients.filter(({ port: own, kind, isOpen }) => !kind.isKept && isOpen() && held.has(own));
    const names = new Set(left.map(({ name }) => name));
    for (const [name, { isKept }] of kinds) {
      if (!isKept && !names.has(name))
        disconnectedMs.set(name, disconnectedMs.get(name) ?? performance.now() - startedAtMs);
      if (names.has(name)) disconnectedMs.set(name, undefined);
    }
    return names.size;
  };
  const maxMs = isShort ? maxEarlyStayMs : maxStayMs;
  while (look() > 0 && performance.now() - startedAtMs < maxMs) await sleep(250);
  clearInterval(timer);
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
