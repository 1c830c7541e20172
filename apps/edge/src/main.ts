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
import { DryRun } from "./visits/dry-run.ts";
import { createJudge } from "./visits/judge.ts";

// As in the server: without a bound for young objects, a busy process takes more memory.
for (const flag of ["max-semi-space-size=16", "min-semi-space-size=4"]) setFlagsFromString(`--${flag}`);
// Visits go on if nobody reads the log.
process.stderr.on("error", () => undefined);
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stop.abort());

if (process.argv[2] === "--version") end(0, packageJson.version);
if (process.argv.length > 2) end(2, "siteward-edge takes no arguments. Its settings are environment variables.");
const settings = readSettings(process.env);
if (Array.isArray(settings)) end(2, settings.join("\n"));
const { COLLECT: peer, PEER: url, TRUST_PROXY: trust, UNKNOWN: dropsUnknown, DRY_RUN: isDryRun } = settings;
const [log, meter] = [pino({}, process.stderr), createMeter()];
const websites = await openWebsites(settings.FILE);

const dryRun = isDryRun ? new DryRun(log) : undefined;
const decide = createDecide(peer, createJudge(websites), { visits: meter.visits, dropsUnknown, dryRun });
let quietUntilMs = 0;
const forwarder = new Forwarder(url, (status, { code, message }) => {
  meter.failed.labels(`${status}`).inc();
  if (Date.now() > quietUntilMs) log.warn(`The analytics system does not answer: ${code ?? message}.`);
  quietUntilMs = Math.max(quietUntilMs, Date.now() + 10_000);
});
const proxy = createProxy({ peer, trust, decide, forwarder, meter, stop: stop.signal });
const on = await listen(proxy, "LISTEN", settings.LISTEN);
const operating = createOperating(websites, meter, isDryRun);
if (settings.OPERATE !== null) await listen(operating, "OPERATE", settings.OPERATE);
log.info({ on, peer: url.origin, websites: websites.size, dry_run: isDryRun }, "listening");

if (!stop.signal.aborted) await once(stop.signal, "abort");
operating.close().closeAllConnections();
// A connection that was busy is idle after its answer.
const closing = setInterval(() => proxy.closeIdleConnections(), 100);
setTimeout(() => proxy.closeAllConnections(), 10_000).unref();
await once(proxy.close(), "close");
clearInterval(closing);
forwarder.close();
dryRun?.report();
await websites.close();

/** Waits for Siteward, unless its last settings are in the file. */
async function openWebsites(file: string) {
  let isOpen = false;
  const onError = (error: unknown) => {
    // An edge that has settings obeys them, also if its key is refused later.
    if (!isOpen && isApiError(error) && [401, 403].includes(error.status)) end(4, error.message);
    log.warn(String(error));
  };
  try {
    return await mirrorWebsites(new Siteward(), { file, signal: stop.signal, onError });
  } catch (error) {
    if (error instanceof InvalidArgumentError) end(2, error.message);
    return end(stop.signal.aborted ? 0 : 1, String(error));
  } finally {
    isOpen = true;
  }
}

/** Returns where a server listens. Port 0 chooses a free one. */
async function listen(server: Server, name: string, { host, port }: { host: string; port: number }): Promise<string> {
  server.on("error", ({ message }) => end(1, `${message}. Choose another address with SITEWARD_EDGE_${name}.`));
  await once(server.listen(port, host), "listening");
  // A server that listens on TCP has an address of this type.
  return `${host}:${(server.address() as AddressInfo).port}`;
}

/** @param code 0: it was asked to; 1: it failed; 2: a setting is not valid; 4: the key is refused */
function end(code: 0 | 1 | 2 | 4, message: string): never {
  (code === 0 ? process.stdout : process.stderr).write(`${message}\n`);
  process.exit(code);
}
