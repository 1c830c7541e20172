import type { Config } from "../../config.ts";
import type { PrimaryLink } from "../../workers/cluster.ts";
import type { CommandContext } from "../io/command-context.ts";
import { type Serving, withServer } from "./with-server.ts";

/** Serves as one of many processes until this one is stopped, another one has replaced it, or the primary is gone. */
export async function serveAsWorker(context: CommandContext, config: Config, primary: PrimaryLink): Promise<void> {
  // A terminal also sends these to the primary, which decides what they mean.
  context.onSignal("SIGINT", () => undefined);
  context.onSignal("SIGHUP", () => undefined);
  const stopped = Promise.withResolvers<void>();
  // This signal can come twice, from a service manager and from the primary. The second must not cut the requests in
  // progress.
  context.onSignal("SIGTERM", stopped.resolve);
  void primary.orphaned.then(stopped.resolve);
  try {
    const work = async ({ server }: Serving) => {
      await Promise.race([stopped.promise, primary.retired.then(() => server.retire())]);
    };
    await withServer(context, config, work, { connections: primary.connections });
  } finally {
    primary.leave();
  }
}
