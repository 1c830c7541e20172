import { isUtf8 } from "node:buffer";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { posix } from "node:path";
import type { Meter } from "../operating.ts";
import { anyOrigin } from "../peers/peer.ts";
import type { Settings } from "../settings.ts";
import type { Decide } from "../visits/decide.ts";
import { createForward, type OnFailure, respond } from "./forward.ts";
import { addressOf, requestHeaders } from "./headers.ts";
import { createInFlight } from "./in-flight.ts";

/** The largest body of a visit, and the largest one that is small: of larger ones, few are read at once. */
const [maxBodyBytes, smallBodyBytes] = [1024 * 1024, 32 * 1024];
const bodyMs = 10_000;

/** Creates the server in front of a peer: what collects visits is decided, and all else passes through. */
export function createProxy(settings: Settings, decide: Decide, meter: Meter, onFailure: OnFailure) {
  const { COLLECT: peer, TRUST_PROXY: trust } = settings;
  const inFlight = createInFlight();
  meter.gauge("in_flight", "Requests that are not answered yet.", () => inFlight.held.size);
  const forward = createForward(settings.PEER, inFlight, onFailure);
  const refuse = (response: ServerResponse, status: number) => {
    meter.refused.labels(`${status}`).inc();
    respond(response, { status, headers: { ...anyOrigin, "Retry-After": "1", Connection: "close" }, body: "" });
  };
  const collect = (response: ServerResponse, { query, head, tail }: ReturnType<typeof readTarget>, bytes: Body) => {
    if (typeof bytes === "number") return refuse(response, bytes);
    const { method = "", url = "", headers } = response.req;
    const { origin, referer, "content-type": type = "" } = headers;
    const ip = addressOf(response.req, trust);
    const encoding = isUtf8(bytes) ? "utf8" : "latin1";
    const isTrusted = () => trust(ip, Number.POSITIVE_INFINITY);
    const visit = { method, type, query, body: bytes.toString(encoding), origin, referer, isTrusted };
    // Without a query and a body it is no visit, but asks whether one may be sent.
    const sent = query === "" && bytes.length === 0 ? visit : decide(visit, ip, headers["user-agent"]);
    if (sent === undefined) return refuse(response, 413);
    if ("status" in sent) return respond(response, sent);
    const body = sent.body === visit.body ? bytes : Buffer.from(sent.body, encoding);
    const path = sent.query === query ? url : `${head}?${sent.query}${tail}`;
    headers.referer = sent.referer;
    forward(response, path, requestHeaders(response.req, trust, ip, body.length), body);
  };
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    const { url = "", headers, socket } = request;
    const target = readTarget(url);
    const isCollect = peer.paths.test(target.path);
    const bytes = headers["transfer-encoding"] ? Number.POSITIVE_INFINITY : Number(headers["content-length"] ?? 0);
    if (!inFlight.admits(socket, response, isCollect && bytes > smallBodyBytes)) return refuse(response, 503);
    meter.requests.inc({ kind: isCollect ? "collect" : "other" });
    if (!isCollect) forward(response, url, requestHeaders(request, trust, addressOf(request, trust)));
    else if (!/^(identity)?$/i.test(headers["content-encoding"] ?? "")) refuse(response, 415);
    else readBody(request, bytes, (body) => collect(response, target, body));
  };
  // Nothing listens for upgrades, so Node reads them as any request: in a WebSocket, the peer would read visits.
  const server = createServer({ requestTimeout: 300_000, headersTimeout: 10_000, keepAliveTimeout: 65_000 }, serve);
  server.maxConnections = 10_000;
  // Node keeps an address that was read once. Of a client that has gone, it could not be read later.
  return server.on("connection", (client) => client.remoteAddress ?? client.destroy());
}

/** What was read, or the status to refuse it with: it takes too long, or is too large. */
type Body = Buffer | 408 | 413;

function readBody(request: IncomingMessage, bytes: number, done: (body: Body) => void): void {
  let [body, length] = [Buffer.alloc(0), 0];
  if (bytes === 0) return void done(body);
  const end = (read: Body) => {
    clearTimeout(late);
    request.removeAllListeners().resume();
    done(read);
  };
  const late = setTimeout(end, bodyMs, 408);
  // Its client has gone.
  request.on("close", () => clearTimeout(late));
  request.on("data", (chunk: Buffer) => {
    const needed = length + chunk.length;
    // A list of chunks would take 500 times as much as the body, if each has one byte.
    if (needed > body.length) body = Buffer.concat([body], length + needed);
    length += chunk.copy(body, length);
    if (length > maxBodyBytes) end(413);
  });
  request.on("end", () => end(body.subarray(0, length)));
}

/** Reads the target of a request: its parts as they came, and its path as a peer reads it. */
function readTarget(text: string) {
  const [, head = "", query = "", tail = ""] = /^([^?#]*)\??([^#]*)(.*)$/s.exec(text) ?? [];
  return { head, query, tail, path: /^(\/[\w-][\w.-]*)+$/.test(head) ? head : normalize(head) };
}

/** Decodes a path, without what an absolute target has in front of it, and resolves its dots and slashes. */
function normalize(path: string): string {
  const decode = (_match: string, hex: string) => String.fromCharCode(Number.parseInt(hex, 16));
  const decoded = path.replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*/i, "").replaceAll(/%([2-7][\da-f])/gi, decode);
  return posix.normalize(`/${decoded.replaceAll("\\", "/")}`).replace(/(?<=.)\/$/, "");
}
