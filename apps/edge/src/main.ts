import { once } from "node:events";
import type { Server } from "node:http";
import { setFlagsFromString } from "node:v8";
import { InvalidArgumentError, isApiError, Siteward } from "@siteward/sdk";
import { mirrorWebsites } from "@siteward/sdk/mirror";
import { pino } from "pino";
import packageJson from "../package.json" with { type: "json" };
import { createMeter, createOperating } from "./operating.ts";
import { createProxy } from "./proxy/serve.ts";
import { readSettings } from "./settings.ts";
import { createDecide, createDryRun } from "./visits/decide.ts";
import { createJudge } from "./visits/judge.ts";

// While it reads the websites, V8 learns to allocate objects as old, and would do so for visits. Of a visit, few
// stay, so one thread collects fastest. With more room for young ones, to read the websites takes 100 MB more.
setFlagsFromString("--no-allocation-site-pretenuring --no-parallel-scavenge --semi-space-growth-factor=1");
process.stderr.on("error", () => undefined);
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stop.abort());

if (process.argv[2] === "--version") end(0, packageJson.version);
if (process.argv.length > 2) end(2, "siteward-edge takes no arguments. Its settings are environment variables.");
const settings = readSettings(process.env);
if (Array.isArray(settings)) end(2, settings.join("\n"));
const [log, meter] = [pino({}, process.stderr), createMeter()];
const websites = await openWebsites(settings.FILE);
setFlagsFromString("--semi-space-growth-factor=2");

const dryRun = settings.DRY_RUN ? createDryRun(log) : undefined;
const decide = createDecide(settings, createJudge(websites), meter.visits, dryRun);
let quietUntilMs = 0;
const proxy = createProxy(settings, decide, meter, (status, why) => {
  meter.failed.labels(`${status}`).inc();
  if (Date.now() > quietUntilMs) log.warn(`The analytics system does not answer: ${why}.`);
  quietUntilMs = Math.max(quietUntilMs, Date.now() + 10_000);
});
const on = await listen(proxy, "LISTEN", settings.LISTEN);
const operating = createOperating(websites, meter, settings.DRY_RUN);
if (settings.OPERATE !== null) await listen(operating, "OPERATE", settings.OPERATE);
log.info({ on, peer: settings.PEER.origin, websites: websites.size, dry_run: settings.DRY_RUN }, "listening");

if (!stop.signal.aborted) await once(stop.signal, "abort");
const closed = once(proxy.close(), "close");
operating.close().closeAllConnections();
// A connection that was busy is idle after its answer.
setInterval(() => proxy.closeIdleConnections(), 100).unref();
setTimeout(() => proxy.closeAllConnections(), 10_000).unref();
await closed;
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

/** Port 0 chooses a free one. */
async function listen(server: Server, name: string, { host, port }: { host: string; port: number }): Promise<string> {
  server.on("error", ({ message }) => end(1, `${message}. Choose another address with SITEWARD_EDGE_${name}.`));
  // As in the server: Linux resets some connections of a burst above 511 that wait.
  await once(server.listen(port, host, 4_096), "listening");
  return `${host}:${Object(server.address()).port}`;
}

/** @param code 0: it was asked to; 1: it failed; 2: a setting is not valid; 4: the key is refused */
function end(code: 0 | 1 | 2 | 4, message: string): never {
  (code === 0 ? process.stdout : process.stderr).write(`${message}\n`);
  process.exit(code);
}
