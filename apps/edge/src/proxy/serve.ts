import { isUtf8 } from "node:buffer";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Meter } from "../operating.ts";
import { anyOrigin } from "../peers/peer.ts";
import type { Settings } from "../settings.ts";
import type { Decide } from "../visits/decide.ts";
import { type Forwarder, respond } from "./forward.ts";
import { addressOf, requestHeaders } from "./headers.ts";

const [maxBodyBytes, maxInFlight] = [1024 * 1024, 2_000];
const limits = { requestTimeout: 300_000, headersTimeout: 10_000, keepAliveTimeout: 65_000 };

/** Creates the server in front of a peer: what collects visits is decided, and all else passes through. */
export function createProxy(settings: Settings, decide: Decide, forwarder: Forwarder, meter: Meter): Server {
  const { COLLECT: peer, TRUST_PROXY: trust } = settings;
  const refuse = (response: ServerResponse, status: number) => {
    meter.refused.labels(`${status}`).inc();
    respond(response, { status, headers: { ...anyOrigin, "Retry-After": "1", Connection: "close" }, body: "" });
  };
  const collect = (response: ServerResponse, { query, head, tail }: ReturnType<typeof readTarget>, bytes: Buffer) => {
    const { method = "", url = "", headers } = response.req;
    const { origin, referer, "content-type": type = "" } = headers;
    const ip = addressOf(response.req, trust);
    const encoding = isUtf8(bytes) ? "utf8" : "latin1";
    const isTrusted = trust(ip, Number.POSITIVE_INFINITY);
    const visit = { method, type, query, body: bytes.toString(encoding), origin, referer, isTrusted };
    // Without a query and a body it is no visit, but asks whether one may be sent.
    const sent = query === "" && bytes.length === 0 ? visit : decide(visit, ip, headers["user-agent"]);
    if ("status" in sent) return respond(response, sent);
    const body = sent.body === visit.body ? bytes : Buffer.from(sent.body, encoding);
    const path = sent.query === query ? url : `${head}?${sent.query}${tail}`;
    headers.referer = sent.referer;
    forwarder.forward(response, path, requestHeaders(response.req, trust, body.length), body);
  };
  const active = new Set<ServerResponse>();
  meter.gauge("in_flight", "Requests that are not answered yet.", () => active.size);
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    if (active.size >= maxInFlight) return refuse(response, 503);
    active.add(response);
    response.once("close", () => active.delete(response));
    const { url = "", headers } = request;
    const target = readTarget(url);
    const isCollect = peer.paths.test(target.path);
    meter.requests.labels(isCollect ? "collect" : "other").inc();
    if (!isCollect) forwarder.forward(response, url, requestHeaders(request, trust));
    else if (!/^(identity)?$/i.test(headers["content-encoding"] ?? "")) refuse(response, 415);
    else readBody(request, (body) => (body ? collect(response, target, body) : refuse(response, 413)));
  };
  // A visit is one also if it asks for another protocol, which the peer would ignore.
  const shouldUpgradeCallback = ({ url = "" }: IncomingMessage) => !peer.paths.test(readTarget(url).path);
  return createServer({ ...limits, shouldUpgradeCallback }, serve).on("upgrade", (request, _client, head) => {
    forwarder.upgrade(request, head, requestHeaders(request, trust));
  });
}

/** Reads a body. It is undefined if it is too long. */
function readBody(request: IncomingMessage, done: (body: Buffer | undefined) => void): void {
  const chunks: Buffer[] = [];
  let length = 0;
  request.on("data", (chunk: Buffer) => {
    length += chunk.length;
    chunks.push(chunk);
    if (length <= maxBodyBytes) return;
    request.removeAllListeners().resume();
    done(undefined);
  });
  request.on("end", () => done(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
}

/** Reads the target of a request: its parts as they came, and its path as a peer reads it. */
function readTarget(text: string) {
  const [, head = "", query = "", tail = ""] = /^([^?#]*)\??([^#]*)(.*)$/s.exec(text) ?? [];
  return { head, query, tail, path: /^(\/[\w-][\w.-]*)+$/.test(head) ? head : normalize(head) };
}

/** Decodes a path, without what an absolute target has in front of it, and resolves its dots and slashes. */
function normalize(path: string): string {
  const names: string[] = [];
  const decode = (_match: string, hex: string) => String.fromCharCode(Number.parseInt(hex, 16));
  const decoded = path.replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*/i, "").replaceAll(/%([2-7][\da-f])/gi, decode);
  for (const name of decoded.split(/[\\/]+/)) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return `/${names.join("/")}`;
}
