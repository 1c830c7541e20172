import { Counter, Histogram, type Registry } from "@prometheus-io/client";
import { routes } from "@siteward/contract/plain";
import { refusalReasons } from "@siteward/service";
import type { RequestMeter } from "../door/request-log.ts";

export function createRequestMeter(registry: Registry): RequestMeter {
  const durations = new Histogram({
    name: "http_server_request_duration_seconds",
    help: "How long requests took, from their turn on the connection until the client had the answer.",
    labelNames: ["http_request_method", "http_route", "http_response_status_code"],
    // Those of OpenTelemetry begin with 5 ms. Most of our reads take less than 1.
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
    registers: [registry],
  });
  const refusals = new Counter({
    name: "siteward_refused_requests_total",
    help: "Requests that were answered with an error, by its code, or by what refused them if the code has several causes.",
    labelNames: ["reason"],
    registers: [registry],
  });
  // From the start, so that Prometheus sees the first one as a rise.
  for (const reason of refusalReasons) refusals.labels(reason).inc(0);
  return {
    answered({ method, url }, status, durationMs) {
      durations.labels(method, routeOf(url), String(status)).observe(durationMs / 1000);
    },
    refused: (reason) => refusals.labels(reason).inc(),
  };
}

/**
 * What stands for a path that the server does not have. Otherwise clients could create series without end. Node refuses
 * unknown methods.
 */
const other = "_OTHER";

const paths = Object.values(routes).flatMap((ofResource) => Object.values(ofResource).map(({ path }) => path));
/** Templates by the path before their parameter, which OpenTelemetry and OpenAPI write in braces. */
const templates = new Map(
  paths
    .filter((path) => path.includes("/:"))
    .map((path) => [path.slice(0, path.indexOf(":")), path.replaceAll(/:(\w+)/g, "{$1}")]),
);
const plain = new Set(["/", "/healthz", "/readyz", "/openapi.json", ...paths.filter((path) => !path.includes(":"))]);
/** The pages for people, each with its files. */
const pagesPath = /^\/(console|docs)(?=\/|$)/;

/** Returns the route of a request, such as `/api/v1/websites/{id}`, also of one that was refused. */
function routeOf(url: string): string {
  const [path = ""] = url.split("?", 1);
  if (plain.has(path)) return path;
  const endsAt = path.lastIndexOf("/") + 1;
  const template = endsAt === path.length ? undefined : templates.get(path.slice(0, endsAt));
  if (template !== undefined) return template;
  const page = pagesPath.exec(path)?.[0];
  return page === undefined ? other : `${page}/{page}`;
}
