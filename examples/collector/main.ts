// Counts page views for all websites of an account, on Node 22.18 or later: node examples/collector/main.ts >> visits.ndjson
import { createHash, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { InvalidVisitError, type Visit } from "@siteward/rules";
import { Siteward } from "@siteward/sdk";
import { mirrorWebsites } from "@siteward/sdk/mirror";
import express, { type ErrorRequestHandler, type Request, type Response } from "express";
import { createJudge, type Judgement, RefusedRequest, readVisit } from "./judge-visit.ts";

const {
  /** On 127.0.0.1, behind a proxy that adds TLS. With 0, the system chooses a free one. */
  COLLECTOR_PORT: port = "3100",
  /** The last settings of all websites, for a start while Siteward is away. */
  COLLECTOR_SETTINGS_FILE: file = "websites.json",
  /** How often the collector asks for changed settings. */
  COLLECTOR_INTERVAL_MS: intervalMs = "15000",
  /** Who sends it may name an address, and is told why a visit does not count. Default: nobody. */
  COLLECTOR_TOKEN: token = "",
  /** A number of proxies, or their addresses and networks, separated by commas. */
  COLLECTOR_TRUST_PROXY: trustProxy = "0",
} = process.env;

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stop.abort());
// What stops the program is a setting, the port, or who reads the visits, so it is one line, without a stack.
process.on("uncaughtException", (error) => {
  if (!stop.signal.aborted) console.error(error.message);
  process.exit(stop.signal.aborted ? 0 : 1);
});
if (token !== "" && token.length < 16) throw new Error("COLLECTOR_TOKEN is too short; set at least 16 characters.");
// Reads SITEWARD_API_KEY and SITEWARD_BASE_URL. With the file of an earlier run, it does not wait for Siteward.
const websites = await mirrorWebsites(new Siteward(), { file, intervalMs: Number(intervalMs), signal: stop.signal });
const judge = createJudge(websites);
const script = readFileSync(new URL("script.js", import.meta.url), "utf8");
const pixel = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");

const app = express();
app.disable("x-powered-by");
app.disable("etag");
app.set("query parser", "simple");
app.set("trust proxy", /^\d+$/.test(trustProxy) ? Number(trustProxy) : trustProxy);
// Any page may report its visits. Nothing depends on cookies, and the answers say nothing.
app.use((_request, response, next) => {
  response.set({ "Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin" });
  next();
});
app.get("/script.js", (_request, response) => {
  response.set("Cache-Control", "public, max-age=3600").type("js").send(script);
});
app.post("/event", express.text({ type: () => true, limit: "8kb", inflate: false }), (request, response) => {
  receive(request, response, readObject(request.body));
  response.status(202).end();
});
app.get("/pixel.gif", (request, response) => {
  receive(request, response, request.query);
  response.set("Cache-Control", "no-store").type("gif").send(pixel);
});
// Old settings are ready: a collector that knows them is better than none.
app.get("/readyz", (_request, response) => {
  const { lastSyncAt, isStale } = websites;
  const ageMs = Date.now() - lastSyncAt.getTime();
  response.json({ status: "ready", settings_age_seconds: Math.round(ageMs / 1000), settings_are_stale: isStale });
});
app.use(({ path }) => {
  throw new RefusedRequest(404, `${path} does not exist; send visits to POST /event.`);
});
app.use(((error, _request, response, _next) => {
  const { status, field, message } = toRefusal(error);
  response.status(status).json({ ...(field === undefined ? {} : { field }), message });
}) satisfies ErrorRequestHandler);

const server = app.listen(Number(port), "127.0.0.1");
// A browser sends a visit at once. Who takes longer only occupies a connection.
server.headersTimeout = 5_000;
server.requestTimeout = 10_000;
server.maxConnections = 10_000;
await once(server, "listening");
// A server that listens on a port has an address with that port.
console.error(`The collector is listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`);

if (!stop.signal.aborted) await once(stop.signal, "abort");
server.close();
setTimeout(() => server.closeAllConnections(), 2_000).unref();
await once(server, "close");
await websites.close();

/** Judges a visit and writes it if it counts. A stranger gets the same answer if it does not, and so learns nothing about the settings. */
function receive(request: Request, response: Response, fields: Readonly<Record<string, unknown>>): void {
  const isTrusted = checkToken(request.get("Authorization"));
  const visit = readVisit(fields, isTrusted);
  const judgement = judge(isTrusted ? visit : { ...visit, ...visitorOf(request) });
  if (judgement.counted) {
    const { website, url } = judgement;
    const line = { time: new Date().toISOString(), website_id: website.id, domain: website.domain, url };
    process.stdout.write(`${JSON.stringify(line)}\n`);
  }
  if (isTrusted) response.set("X-Siteward-Verdict", describe(judgement));
}

/** Returns whether the request has the token. A wrong one is an error, so that nobody believes to have been trusted. */
function checkToken(sent: string | undefined): boolean {
  if (sent === undefined) return false;
  const digest = (text: string) => createHash("sha256").update(text).digest();
  if (token !== "" && timingSafeEqual(digest(sent), digest(`Bearer ${token}`))) return true;
  throw new RefusedRequest(401, "The token is not that of COLLECTOR_TOKEN.");
}

/**
 * Express takes the address from `X-Forwarded-For` if the connection is that of a proxy in COLLECTOR_TRUST_PROXY. A connection that was
 * reset has no address any more. The rules would compare no entry of `exclude_ips`, so such a visit is not judged.
 */
function visitorOf(request: Request): Omit<Visit, "url"> {
  const { ip } = request;
  if (ip === undefined) throw new RefusedRequest(400, "The connection has ended, so its address is not known.");
  return { ip, userAgent: request.get("User-Agent") };
}

/** An explanation is printable ASCII, as a header must be. */
function describe(judgement: Judgement): string {
  return judgement.counted ? `counted for website ${judgement.website.id}` : `not counted: ${judgement.explanation}`;
}

/** Reads the fields of a body, which is not a string if the request has none. */
function readObject(body: unknown): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(String(body));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // It is refused below.
  }
  throw new RefusedRequest(400, 'The body is not a JSON object; send {"url": "https://example.com/"}.');
}

function toRefusal(error: unknown): RefusedRequest {
  if (error instanceof RefusedRequest) return error;
  if (error instanceof InvalidVisitError) return new RefusedRequest(400, error.message, error.field);
  // An error of express.text has the status that it means, such as 413.
  const status = error instanceof Error && "status" in error ? Number(error.status) : 500;
  if (status >= 400 && status < 500)
    return new RefusedRequest(status, "The body cannot be read; send at most 8 kB of JSON.");
  console.error(error);
  return new RefusedRequest(500, "The collector failed; its log says why.");
}
