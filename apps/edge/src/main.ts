import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setFlagsFromString } from "node:v8";
import { InvalidArgumentError, isApiError, Siteward } from "@siteward/sdk";
import { mirrorWebsites } from "@siteward/sdk/mirror";
import { pino } from "pino";
import packageJson from "../package.json" with { type: "json" };
import { createMeter, createOperating } from "./operating.ts";
import { Forwarder } from "./proxy/forward.ts";
import { createProxy } from "./proxy/serve.ts";
import { readSettings } from "./settings.ts";
import { createDecide } from "./visits/decide.ts";
import { createJudge } from "./visits/judge.ts";
import { Outcomes } from "./visits/outcomes.ts";

const exitCodes = { asked: 0, failed: 1, settings: 2, key: 4 } as const;
const [maxBacklog, drainMs, warnEveryMs] = [4_096, 10_000, 60_000];

// Visits go on if nobody reads the log.
process.stderr.on("error", () => undefined);
// The bounds of the server for young objects, without which a busy process takes more memory.
for (const flag of ["max-semi-space-size=16", "min-semi-space-size=4"]) setFlagsFromString(`--${flag}`);
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());

if (process.argv[2] === "--version") end("asked", packageJson.version);
if (process.argv.length > 2)
  end("settings", "siteward-edge takes no arguments. Its settings are environment variables.");
const settings = readSettings(process.env);
if (Array.isArray(settings)) end("settings", settings.join("\n"));
const { COLLECT: peer, TRUST_PROXY: trust, UNKNOWN: dropsUnknown, DRY_RUN: isDryRun } = settings;
const log = pino({}, process.stderr);
const meter = createMeter();
const websites = await openWebsites(settings.FILE);

const outcomes = new Outcomes(meter.visits, isDryRun ? log : undefined);
const decide = createDecide(peer, createJudge(websites), outcomes, { dropsUnknown, isDryRun });
let warnedMs = 0;
const forwarder = new Forwarder(settings.PEER, (status, { code, message }) => {
  meter.failed.labels(`${status}`).inc();
  if (Date.now() - warnedMs < warnEveryMs) return;
  warnedMs = Date.now();
  log.warn(`The analytics system does not answer: ${code ?? message}.`);
});
const proxy = createProxy({ peer, trust, decide, forwarder, meter, stop: stop.signal });
const operating = createOperating(websites, meter, isDryRun);
const on = await listen(proxy, "LISTEN", settings.LISTEN);
if (settings.OPERATE !== null) await listen(operating, "OPERATE", settings.OPERATE);
log.info({ on, peer: settings.PEER.origin, websites: websites.size, dry_run: isDryRun }, "listening");

if (!stop.signal.aborted) await once(stop.signal, "abort");
operating.close().closeAllConnections();
// A connection that was busy is idle after its answer.
const closing = setInterval(() => proxy.closeIdleConnections(), 100);
setTimeout(() => proxy.closeAllConnections(), drainMs).unref();
await once(proxy.close(), "close");
clearInterval(closing);
outcomes.report();
forwarder.close();
await websites.close();

/** Waits for Siteward, unless its last settings are in the file. */
async function openWebsites(file: string) {
  let isOpen = false;
  const onError = (error: unknown) => {
    // An edge that has settings obeys them, also if its key is refused later.
    if (!isOpen && isApiError(error) && [401, 403].includes(error.status)) end("key", error.message);
    log.warn(String(error));
  };
  try {
    return await mirrorWebsites(new Siteward(), { file, signal: stop.signal, onError });
  } catch (error) {
    if (error instanceof InvalidArgumentError) end("settings", error.message);
    return end(stop.signal.aborted ? "asked" : "failed", String(error));
  } finally {
    isOpen = true;
  }
}

/** Returns where a server listens. Port 0 chooses a free one. */
async function listen(server: Server, name: string, { host, port }: { host: string; port: number }): Promise<string> {
  server.on("error", ({ message }) => end("failed", `${message}. Choose another address with SITEWARD_EDGE_${name}.`));
  await once(server.listen(port, host, maxBacklog), "listening");
  // A server that listens on TCP has an address of this type.
  return `${host}:${(server.address() as AddressInfo).port}`;
}

function end(why: keyof typeof exitCodes, message: string): never {
  process[why === "asked" ? "stdout" : "stderr"].write(`${message}\n`);
  process.exit(exitCodes[why]);
}
