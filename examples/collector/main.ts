// Counts page views for all websites of an account, on Node 22.18 or later: node examples/collector/main.ts
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Siteward } from "@siteward/sdk";
import { mirrorWebsites } from "@siteward/sdk/mirror";
import { createCollector } from "./create-collector.ts";
import { readSettings } from "./settings.ts";
import { VisitFile } from "./visit-file.ts";

const settings = readSettings(process.env);
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stop.abort());
// Reads SITEWARD_API_KEY and SITEWARD_BASE_URL. With the file of an earlier run, it does not wait for Siteward.
const websites = await mirrorWebsites(new Siteward(), {
  file: settings.settingsFile,
  intervalMs: settings.intervalMs,
  signal: stop.signal,
}).catch((error: unknown) => {
  if (stop.signal.aborted) process.exit(0);
  throw error;
});
const visits = new VisitFile(settings.file, settings.maxFileBytes, console.error);
const collector = createCollector({ settings, websites, visits, now: () => new Date() });
// A browser sends a visit at once. Who takes longer only occupies a connection.
const server = createServer({ headersTimeout: 5_000, requestTimeout: 10_000 }, collector);
server.maxConnections = 10_000;
server.listen(settings.port, settings.host);
await once(server, "listening");
// A server that listens on a port has an address with that port.
const { address, port } = server.address() as AddressInfo;
console.log(`The collector is listening on http://${address.includes(":") ? `[${address}]` : address}:${port}`);

if (!stop.signal.aborted) await once(stop.signal, "abort");
server.close();
setTimeout(() => server.closeAllConnections(), 2_000).unref();
await once(server, "close");
await Promise.all([visits.close(), websites.close()]);
