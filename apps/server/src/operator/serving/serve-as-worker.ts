import type { Config } from "../../config.ts";
import type { ThisWorker } from "../../workers/cluster.ts";
import type { Terminal } from "../io/terminal.ts";
import { type Serving, withServer } from "./with-server.ts";

/** Serves as one of many processes until this one is asked to stop, another has taken its place or the primary is gone. */
export async function serveAsWorker(terminal: Terminal, config: Config, self: ThisWorker): Promise<void> {
  // A terminal sends these to the primary as well, which knows what they mean.
  terminal.onSignal("SIGINT", () => undefined);
  terminal.onSignal("SIGHUP", () => undefined);
  const stopped = Promise.withResolvers<void>();
  // It can come twice, from a service manager and from the primary; the second must not cut the requests under way.
  terminal.onSignal("SIGTERM", stopped.resolve);
  void self.orphaned.then(stopped.resolve);
  try {
    const work = async ({ server }: Serving) => {
      await Promise.race([stopped.promise, self.retired.then(() => server.retire())]);
    };
    await withServer(terminal, config, work, self.connections);
  } finally {
    self.leave();
  }
}
