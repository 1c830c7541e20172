// Counts page views for all websites of an account, on Node 22.18 or later: node examples/collector/main.ts
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Siteward } from "@siteward/sdk";
import { mirrorWebsites } from "@siteward/sdk/mirror";
import { createCollector } from "./create-collector.ts";
import { readSettings } from "./settings.ts";
import { VisitFile } from "./visit-file.ts";

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stop.abort());
// What stops the start is a setting or a port, so it is one line, without a stack.
const { server, visits, websites } = await start(stop.signal).catch((error: unknown) => {
  if (stop.signal.aborted) process.exit(0);
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
// A server that listens on a port has an address with that port.
const { address, port } = server.address() as AddressInfo;
console.log(`The collector is listening on http://${address.includes(":") ? `[${address}]` : address}:${port}`);

if (!stop.signal.aborted) await once(stop.signal, "abort");
server.close();
setTimeout(() => server.closeAllConnections(), 2_000).unref();
await once(server, "close");
await Promise.all([visits.close(), websites.close()]);

async function start(signal: AbortSignal) {
  const settings = readSettings(process.env);
  // Reads SITEWARD_API_KEY and SITEWARD_BASE_URL.
  const siteward = new Siteward();
  const visits = await VisitFile.open(settings.file, settings.maxFileBytes, console.error);
  // With the file of an earlier run, it does not wait for Siteward.
  const { settingsFile: file, intervalMs } = settings;
  const websites = await mirrorWebsites(siteward, { file, intervalMs, signal });
  const collector = createCollector({ settings, websites, visits, now: () => new Date() });
  // A browser sends a visit at once. Who takes longer only occupies a connection.
  const server = createServer({ headersTimeout: 5_000, requestTimeout: 10_000 }, collector);
  server.maxConnections = 10_000;
  server.listen(settings.port, settings.host);
  await once(server, "listening");
  return { server, visits, websites };
}
