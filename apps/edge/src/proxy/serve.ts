import { isUtf8 } from "node:buffer";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { addAbortSignal } from "node:stream";
import proxyAddr from "proxy-addr";
import type { Meter } from "../operating.ts";
import { anyOrigin, type Peer } from "../peers/peer.ts";
import type { Decide } from "../visits/decide.ts";
import { type Forwarder, respond } from "./forward.ts";
import { requestHeaders, type Told } from "./headers.ts";
import { readTarget, type Target } from "./target.ts";

const [maxBodyBytes, maxInFlight] = [1024 * 1024, 2_000];
const limits = { requestTimeout: 300_000, headersTimeout: 10_000, keepAliveTimeout: 65_000 };

/** Whether an address is that of a trusted proxy. @param hop how many proxies are between it and the edge */
export type Trust = (address: string, hop: number) => boolean;

interface Parts {
  readonly peer: Peer;
  readonly trust: Trust;
  readonly decide: Decide;
  readonly forwarder: Forwarder;
  readonly meter: Meter;
  /** Ends connections that would not end by themselves. */
  readonly stop: AbortSignal;
}

/** Creates the server in front of a peer: what collects visits is decided, and all else passes through. */
export function createProxy({ peer, trust, decide, forwarder, meter, stop }: Parts): Server {
  const tell = (request: IncomingMessage): Told => {
    const isFromProxy = trust(request.socket.remoteAddress ?? "", 0);
    return { ip: addressOf(request, trust), isFromProxy, referer: request.headers.referer };
  };
  const refuse = (response: ServerResponse, status: number) => {
    meter.refused.labels(`${status}`).inc();
    respond(response, { status, headers: { ...anyOrigin, "Retry-After": "1", Connection: "close" }, body: "" });
  };
  const collect = (request: IncomingMessage, response: ServerResponse, target: Target, bytes: Buffer) => {
    const { method = "", url = "", headers } = request;
    const told = tell(request);
    const encoding = isUtf8(bytes) ? "utf8" : "latin1";
    const said = { method, body: bytes.toString(encoding), referer: told.referer, origin: headers.origin };
    const visit = { ...said, query: target.query, isTrusted: trust(told.ip, Number.POSITIVE_INFINITY) };
    // Without a query and a body it is no visit, but asks whether one may be sent.
    const isVisit = target.query !== "" || bytes.length > 0;
    const sent = isVisit ? decide(visit, told.ip, headers["user-agent"]) : visit;
    if ("status" in sent) return respond(response, sent);
    const body = sent.body === visit.body ? bytes : Buffer.from(sent.body, encoding);
    const path = sent.query === target.query ? url : `${target.head}?${sent.query}${target.tail}`;
    const { referer } = sent;
    forwarder.forward(response, path, requestHeaders(request, { ...told, referer, length: body.length }), body);
  };
  let active = 0;
  meter.gauge("in_flight", "Requests that are not answered yet.", () => active);
  const release = () => {
    active -= 1;
  };
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    if (active >= maxInFlight) return refuse(response, 503);
    active += 1;
    response.once("close", release);
    const { url = "", headers } = request;
    const target = readTarget(url);
    const isCollect = peer.paths.test(target.path);
    meter.requests.labels(isCollect ? "collect" : "other").inc();
    if (!isCollect) forwarder.forward(response, url, requestHeaders(request, tell(request)));
    else if (!/^(identity)?$/i.test(headers["content-encoding"] ?? "")) refuse(response, 415);
    else readBody(request, (body) => (body ? collect(request, response, target, body) : refuse(response, 413)));
  };
  // A visit is one also if it asks for another protocol, which the peer would ignore.
  const shouldUpgradeCallback = ({ url = "" }: IncomingMessage) => !peer.paths.test(readTarget(url).path);
  return createServer({ ...limits, shouldUpgradeCallback }, serve).on("upgrade", (request, client, head) => {
    forwarder.upgrade(request, addAbortSignal(stop, client), head, requestHeaders(request, tell(request)));
  });
}

/** Returns the address of the visitor, without the port that some proxies add. */
function addressOf(request: IncomingMessage, trust: Trust): string {
  const direct = request.socket.remoteAddress ?? "";
  const address = request.headers["x-forwarded-for"] === undefined ? direct : proxyAddr(request, trust);
  return address.replaceAll(/^::ffff:(?=[\d.]+$)|^\[(?=.+\])|\](:\d+)?$|(?<=^[\d.]+):\d+$/gi, "");
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
