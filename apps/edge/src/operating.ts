import { createServer, type Server } from "node:http";
import { Counter, collectDefaultMetrics, Gauge, Registry } from "@prometheus-io/client";
import type { WebsiteMirror } from "@siteward/sdk/mirror";

export type Meter = ReturnType<typeof createMeter>;

/** Counts what happens. No label has a value that a client chooses. */
export function createMeter() {
  const register = new Registry();
  // To look at the event loop more often takes processor time from visits.
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision: 1_000 });
  const count = <Label extends string>(name: string, help: string, label: Label) =>
    new Counter({ name, help, labelNames: [label], registers: [register] });
  const gauge = (name: string, help: string, read: () => number) => {
    const own: Gauge = new Gauge({ name, help, registers: [register], collect: () => own.set(read()) });
  };
  const refusals = "Requests that the edge refused, by the status of the answer.";
  return {
    register,
    gauge,
    visits: count("siteward_edge_visits_total", "Visits, by what the rules said of them.", "result"),
    requests: count("siteward_edge_requests_total", "Requests: those that collect visits, and others.", "kind"),
    refused: count("siteward_edge_refused_requests_total", refusals, "status"),
    failed: count("siteward_edge_peer_errors_total", "Requests that the peer did not answer, by the status.", "status"),
  };
}

/** Creates the server of `/livez`, `/readyz` and `/metrics`, for whoever reaches its address. */
export function createOperating(websites: WebsiteMirror, { register, gauge }: Meter, isDryRun: boolean): Server {
  const readAge = () => Math.round((Date.now() - websites.lastSyncAt.getTime()) / 1000);
  gauge("siteward_edge_websites", "Websites whose settings are known.", () => websites.size);
  gauge("siteward_edge_settings_age_seconds", "How long ago Siteward answered last.", readAge);
  const readState = () => {
    const state = { settings_age_seconds: readAge(), settings_are_stale: websites.isStale, dry_run: isDryRun };
    return JSON.stringify({ status: "ready", websites: websites.size, ...state });
  };
  return createServer(async ({ url }, response) => {
    if (url === "/livez") response.end("ok\n");
    else if (url === "/readyz") response.setHeader("Content-Type", "application/json").end(readState());
    else if (url === "/metrics") response.setHeader("Content-Type", register.contentType).end(await register.metrics());
    else response.writeHead(404).end();
  });
}
