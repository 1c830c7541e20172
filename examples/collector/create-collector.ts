import { createHash, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { InvalidVisitError, type Visit } from "@siteward/rules";
import type { WebsiteMirror } from "@siteward/sdk/mirror";
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from "express";
import { createJudge, type Judgement } from "./judge-visit.ts";
import { RefusedRequest, readEvent, readObject } from "./read-event.ts";
import type { Settings } from "./settings.ts";
import type { VisitFile } from "./visit-file.ts";

export interface Parts {
  readonly settings: Settings;
  readonly websites: WebsiteMirror;
  readonly visits: VisitFile;
  readonly now: () => Date;
}

const script = readFileSync(new URL("script.js", import.meta.url), "utf8");
const pixel = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");

/** Creates the application. Everything that happens to a request is listed here, from top to bottom. */
export function createCollector({ settings, websites, visits, now }: Parts): Express {
  const judge = createJudge(websites, settings.hosts);
  /** A stranger learns nothing about the settings: a visit that does not count gets the same answer, also if the disk is full. */
  const count = (visit: Visit): Judgement => {
    if (visits.isRefusing) throw new RefusedRequest(503, "Visits cannot be written at the moment. Send it again.");
    const judgement = judge(visit);
    if (judgement.counted) visits.append(toLine(judgement, now()));
    return judgement;
  };
  const receive = (request: Request, response: Response, fields: Readonly<Record<string, unknown>>): void => {
    const isTrusted = checkToken(request, settings.token);
    const event = readEvent(fields, isTrusted);
    const judgement = count(isTrusted ? event : { ...event, ...visitorOf(request) });
    if (isTrusted) response.set("X-Siteward-Verdict", describe(judgement));
  };

  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("query parser", "simple");
  app.set("trust proxy", settings.trustProxy);
  app.use(allowEveryPage);
  app.get("/script.js", (_request, response) => {
    response.set("Cache-Control", "public, max-age=3600").type("js").send(script);
  });
  app.post("/event", express.text({ type: () => true, limit: "8kb", inflate: false }), (request, response) => {
    receive(request, response, readObject(typeof request.body === "string" ? request.body : ""));
    response.status(202).end();
  });
  app.get("/pixel.gif", (request, response) => {
    receive(request, response, request.query);
    response.set("Cache-Control", "no-store").type("gif").send(pixel);
  });
  app.get("/readyz", (_request, response) => answerReady(response, { websites, visits, now }));
  app.use(refuseUnknownPath);
  app.use(answerError);
  return app;
}

function toLine({ website, url }: Judgement & { readonly counted: true }, time: Date): string {
  return JSON.stringify({ time: time.toISOString(), website_id: website.id, domain: website.domain, url });
}

/** Any page may report its visits. Nothing depends on cookies, and the answers say nothing. */
const allowEveryPage: RequestHandler = (_request, response, next) => {
  response.set({ "Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin" });
  next();
};

/** Returns whether the request has the token. A wrong one is an error, so that nobody believes to have been trusted. */
function checkToken(request: Request, token: string | undefined): boolean {
  const sent = request.get("Authorization");
  if (sent === undefined) return false;
  const digest = (text: string) => createHash("sha256").update(text).digest();
  if (token !== undefined && timingSafeEqual(digest(sent), digest(`Bearer ${token}`))) return true;
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

/** Old settings are ready: a collector that knows them is better than none. */
function answerReady(response: Response, { websites, visits, now }: Omit<Parts, "settings">): void {
  const { lastSyncAt, isStale } = websites;
  const ageMs = lastSyncAt === undefined ? undefined : now().getTime() - lastSyncAt.getTime();
  const { fault } = visits;
  response.status(fault === undefined ? 200 : 503).json({
    status: fault === undefined ? "ready" : "visits are refused, because their file is too long or cannot be written",
    settings_age_seconds: ageMs === undefined ? null : Math.round(ageMs / 1000),
    settings_are_stale: isStale,
  });
}

const refuseUnknownPath: RequestHandler = ({ path }) => {
  throw new RefusedRequest(404, `${path} does not exist; send visits to POST /event.`);
};

const answerError: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
  const { status, field, message } = toRefusal(error);
  if (status === 503) response.set("Retry-After", "1");
  response.status(status).json({ ...(field === undefined ? {} : { field }), message });
};

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
