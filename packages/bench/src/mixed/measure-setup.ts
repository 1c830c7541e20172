import { connect } from "node:net";
import { slowDisk } from "@siteward/testing/slow-disk";
import type { BenchEngine } from "../engines/bench-engine.ts";
import type { CallerGroup, GroupResult } from "../load/load.ts";
import { measureInTurn, median } from "../measure/measure-in-turn.ts";
import { createWithPassword, scenarios } from "../measure/scenarios.ts";
import { type Served, sendTo, startSiteward } from "../measure/targets.ts";

/** What clients do at the same time. */
interface MixedLoad {
  readonly title: string;
  readonly groups: Readonly<Record<string, CallerGroup>>;
  /** How many connections also ask for long pages and never read them. */
  readonly unreadConnections?: number;
}

const readers = { request: scenarios.get.request, callers: 8 } as const;
const writers = { request: scenarios.create.request, callers: 64 } as const;
/** A client that ignores `Retry-After`, but does not use all of its time to repeat. */
const passwords = { request: createWithPassword, callers: 64, pauseAfterRefusalMs: 100 } as const;

/** The first two are what the others are compared with. */
const loads: readonly MixedLoad[] = [
  { title: "8 readers alone", groups: { readers } },
  { title: "64 writers alone", groups: { writers } },
  { title: "8 readers, 64 writers", groups: { readers, writers } },
  { title: "8 readers, 8 clients that never read", groups: { readers }, unreadConnections: 8 },
  { title: "8 readers, 64 creates with passwords", groups: { readers, passwords } },
];

/** A server whose reads and writes are measured together. */
interface Setup {
  readonly workers: number;
  /** How much longer every sync of the disk takes. */
  readonly syncDelayMs: number;
}

/** The callers of one kind in one load on one server. */
interface MixedFigure extends Omit<GroupResult, "answers"> {
  readonly load: string;
  readonly group: string;
}

/** Measures all loads on one server. */
export async function measureSetup(engine: BenchEngine, { workers, syncDelayMs }: Setup): Promise<MixedFigure[]> {
  const database = await engine.createDatabase();
  await using server = await startSiteward(database.url, { workers, wrapper: slowDisk(syncDelayMs) });
  const results = await measureInTurn(loads, (load, seconds) => send({ server, database }, load, seconds));
  return loads.flatMap(({ title: load, groups }, index) =>
    Object.keys(groups).map((group) => {
      const medianOf = (figure: keyof GroupResult) =>
        median((results[index] ?? []).map((result) => result[group]?.[figure] ?? Number.NaN));
      return { load, group, perSecond: medianOf("perSecond"), p50Ms: medianOf("p50Ms"), p99Ms: medianOf("p99Ms") };
    }),
  );
}

async function send(served: Served, { groups, unreadConnections = 0 }: MixedLoad, seconds: number) {
  using _connections = openUnreadConnections(served, unreadConnections);
  return await sendTo(served, seconds, groups);
}

/** The server accepts this many unanswered requests on one connection. */
const requestsPerConnection = 32;

/** Opens connections that ask for long pages and never read the answers, until they are disposed. */
function openUnreadConnections({ server, database }: Served, count: number): Disposable {
  const { hostname, port, host } = new URL(server.url);
  const request =
    `GET /api/v1/websites?per_page=100 HTTP/1.1\r\nhost: ${host}\r\n` +
    `authorization: Bearer ${database.apiKey}\r\n\r\n`;
  const sockets = Array.from({ length: count }, () => {
    const socket = connect(Number(port), hostname).pause();
    // The server may end a connection whose answers nobody reads.
    socket.on("error", () => undefined);
    socket.write(request.repeat(requestsPerConnection));
    return socket;
  });
  return {
    [Symbol.dispose]: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}
