import type { Config } from "../../config.ts";
import type { Terminal } from "../io/terminal.ts";
import { untilSignal } from "../io/until-signal.ts";
import { type AnnounceOptions, announce } from "./announce.ts";
import { withServer } from "./with-server.ts";

/** Serves in this one process until it is asked to stop. There is nobody to take over, so a hang-up stops it as well. */
export function serveAlone(terminal: Terminal, options: AnnounceOptions, config: Config): Promise<void> {
  return withServer(terminal, config, async ({ server, storage }) => {
    // From before anybody can know of the server.
    const stopped = untilSignal(terminal, ["SIGTERM", "SIGINT", "SIGHUP"]);
    await announce(terminal, options, { storage, listening: server.url, publicUrl: config.publicUrl });
    await stopped;
    terminal.note("Stopping: finishing the requests under way.");
  });
}
