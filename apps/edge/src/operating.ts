import { createServer, type Server } from "node:http";
import { Counter, collectDefaultMetrics, Gauge, Registry } from "@prometheus-io/client";
import type { WebsiteMirror } from "@siteward/sdk/mirror";

export type Meter = ReturnType<typeof createMeter>;

/** Counts what happens. No label has a value that a client chooses. */
export function createMeter() {
  const register = new Registry();
  // To look at the event loop more often takes processor time from visits.
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision: 1_000 });
  const count = <Label extends string>(name: string, label: Label, help: string) =>
    new Counter({ name: `siteward_edge_${name}`, help, labelNames: [label], registers: [register] });
  const gauge = (name: string, help: string, read: () => number) => {
    const collect = () => own.set(read());
    const own: Gauge = new Gauge({ name: `siteward_edge_${name}`, help, registers: [register], collect });
  };
  const visits = count("visits_total", "result", "Visits, by what the rules said of them.");
  const requests = count("requests_total", "kind", "Requests: those that collect visits, and others.");
  const refused = count("refused_requests_total", "status", "Requests that the edge refused, by the status.");
  const failed = count("peer_errors_total", "status", "Requests that the peer did not answer, by the status.");
  return { register, gauge, visits, requests, refused, failed };
}

/** Creates the server of `/livez`, `/readyz` and `/metrics`, for whoever reaches its address. */
export function createOperating(websites: WebsiteMirror, { register, gauge }: Meter, isDryRun: boolean): Server {
  const readAge = () => Math.round((Date.now() - websites.lastSyncAt.getTime()) / 1000);
  gauge("websites", "Websites whose settings are known.", () => websites.size);
  gauge("settings_age_seconds", "How long ago Siteward answered last.", readAge);
  return createServer(async ({ url }, response) => {
    const { size, isStale } = websites;
    const state = { websites: size, settings_age_seconds: readAge(), settings_are_stale: isStale, dry_run: isDryRun };
    if (url === "/livez") response.end("ok\n");
    else if (url === "/metrics") response.setHeader("Content-Type", register.contentType).end(await register.metrics());
    else if (url !== "/readyz") response.writeHead(404).end();
    else response.setHeader("Content-Type", "application/json").end(JSON.stringify({ status: "ready", ...state }));
  });
}
