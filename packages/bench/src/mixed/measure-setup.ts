import { connect } from "node:net";
import { slowDisk } from "@siteward/testing/slow-disk";
import { median } from "../../../../scripts/median.ts";
import type { BenchEngine } from "../engines/bench-engine.ts";
import type { GroupResult } from "../load/load.ts";
import { measureInTurn } from "../measure/measure-in-turn.ts";
import { type Served, sendTo, startSiteward } from "../measure/targets.ts";
import type { Options } from "../options.ts";
import { type LoadTitle, loads, loadTitles, type MixedLoad } from "./loads.ts";

/** A server whose reads and writes are measured together. */
export interface Setup {
  readonly workers: number;
  /** How much longer every sync of the disk takes. */
  readonly syncDelayMs: number;
}

/** The callers of one kind in one load on one server. */
export interface MixedFigure extends Omit<GroupResult, "answers"> {
  readonly load: LoadTitle;
  readonly group: string;
}

/** Measures all loads on one server. They run in turn. */
export async function measureSetup(engine: BenchEngine, setup: Setup, options: Options): Promise<MixedFigure[]> {
  const database = await engine.createDatabase();
  const { workers, syncDelayMs } = setup;
  await using server = await startSiteward(database.url, { workers, wrapper: slowDisk(syncDelayMs) });
  const results = await measureInTurn(loadTitles, options, (title, seconds) =>
    send({ server, database }, loads[title], seconds),
  );
  return loadTitles.flatMap((load) =>
    Object.keys(loads[load].groups).map((group) => {
      const medianOf = (figure: keyof GroupResult) =>
        median(results[load].map((result) => result[group]?.[figure] ?? Number.NaN));
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
