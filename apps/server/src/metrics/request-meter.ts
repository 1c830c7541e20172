import { type RefusalReason, refusalReasons } from "@siteward/service";
import type { RequestMeter } from "../door/admission/request-meter.ts";
import { methodOf, routeOf } from "./request-routes.ts";
import type { Series, SeriesTable } from "./series.ts";

/** Creates the meter of the requests of a process. */
export function createRequestMeter(table: SeriesTable): RequestMeter {
  // From the start, so that Prometheus sees the first one as a rise.
  const refusals = new Map<RefusalReason, Series>(
    refusalReasons.map((reason) => [reason, table.get("siteward_refused_requests_total", reason)]),
  );
  /** By method, route and status. To build the key of the table takes as long as all the rest. */
  const known = new Map<string, Map<string, Map<number, Series>>>();
  const seriesOf = (method: string, route: string, status: number): Series => {
    const ofRoute = known.get(route) ?? new Map<string, Map<number, Series>>();
    const ofMethod = ofRoute.get(method) ?? new Map<number, Series>();
    const series = table.get("http_server_request_duration_seconds", method, route, String(status));
    known.set(route, ofRoute.set(method, ofMethod.set(status, series)));
    return series;
  };
  return {
    answered({ method: sent, originalUrl }, status, durationMs) {
      const method = methodOf(sent);
      const route = routeOf(originalUrl);
      const series = known.get(route)?.get(method)?.get(status) ?? seriesOf(method, route, status);
      series.observe(durationMs / 1000);
    },
    refused(reason) {
      refusals.get(reason)?.add(1);
    },
  };
}
