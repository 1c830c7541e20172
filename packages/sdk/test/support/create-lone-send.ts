import type { ResolvedSitewardOptions } from "../../src/options/siteward-options.ts";
import { createSend, type Send } from "../../src/request/send.ts";
import { Line } from "../../src/retry/line.ts";
import type { Timing } from "../../src/retry/timing.ts";

/** Creates what sends the requests of a client that shares its line with no other. */
export function createLoneSend(client: ResolvedSitewardOptions, timing: Timing): Send {
  const line = new Line(timing);
  return createSend(client, timing, () => line);
}
