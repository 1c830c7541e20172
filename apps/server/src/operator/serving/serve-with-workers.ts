import type { Config } from "../../config.ts";
import { listeningUrl } from "../../connections/listening-url.ts";
import { createLog } from "../../log.ts";
import type { Cluster, Port } from "../../workers/cluster.ts";
import { ConnectionLine } from "../../workers/connection-line.ts";
import { WorkerPool } from "../../workers/worker-pool.ts";
import { openOperatorStorage } from "../database/open-operator-storage.ts";
import type { Terminal } from "../io/terminal.ts";
import { untilSignal } from "../io/until-signal.ts";
import { type AnnounceOptions, announce } from "./announce.ts";

/** Has many processes serve at one address, and keeps them serving, until it is asked to stop. */
export async function serveWithWorkers(
  terminal: Terminal,
  options: AnnounceOptions,
  { config, cluster }: { config: Config; cluster: Cluster },
): Promise<void> {
  const log = createLog(config.logLevel, terminal.log, { isShared: true });
  const line = new ConnectionLine();
  const pool = new WorkerPool(cluster, { line, size: config.workers, logger: log.logger });
  let port: Port | undefined;
  try {
    // Brings the database to the program's version before any worker looks at it.
    const storage = await openOperatorStorage({ databaseUrl: config.databaseUrl });
    let stopped: Promise<void>;
    try {
      port = await cluster.openPort(config, (connection) => line.add(connection));
      await pool.open(["--port", String(port.port)]);
      const listening = listeningUrl(config.host, port.port);
      // From before anybody can know of the server.
      stopped = untilAskedToStop(terminal, () => void pool.restart());
      await announce(terminal, options, { storage, listening, publicUrl: config.publicUrl });
    } finally {
      await storage.close();
    }
    await stopped;
    terminal.note("Stopping: finishing the requests under way.");
  } finally {
    port?.close();
    line.close();
    await pool.close();
    log.flush();
  }
}

/** A hang-up asks for new workers, as it does of most services; a terminal that was closed asks for the end. */
async function untilAskedToStop(terminal: Terminal, restart: () => void): Promise<void> {
  const closed = Promise.withResolvers<void>();
  terminal.onSignal("SIGHUP", () => (terminal.isClosed() ? closed.resolve() : restart()));
  await Promise.race([untilSignal(terminal, ["SIGTERM", "SIGINT"]), closed.promise]);
}
