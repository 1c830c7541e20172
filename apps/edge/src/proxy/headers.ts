import type { IncomingMessage } from "node:http";
import proxyAddr from "proxy-addr";

/** Whether an address is that of a trusted proxy. @param hop how many proxies are between it and the edge */
export type Trust = (address: string, hop: number) => boolean;

const listOf = (...lines: string[]) => new Set(lines.join(" ").split(" "));
/** They are of one connection. Node has answered what a client expects. */
const hopByHop = listOf("connection keep-alive proxy-connection te trailer transfer-encoding upgrade expect");
/** Where a peer may look for an address. */
const ofAddress = listOf(
  "x-forwarded-for forwarded x-real-ip x-client-ip true-client-ip cf-connecting-ip fastly-client-ip client-ip",
  "x-nf-client-connection-ip do-connecting-ip x-appengine-user-ip x-cluster-client-ip x-forwarded x-plausible-ip",
  "b-forwarded-for x-umami-client-ip",
);
/** What only a proxy may say, such as the country of the visitor. */
const ofProxy = /^(x-forwarded-(proto|host|port|prefix)|cf-|cloudfront-|x-vercel-|eo-ip|eo-region)/;

/** Returns the headers with which a request is sent on. @param length that of the body, unless it is passed through */
export function requestHeaders(request: IncomingMessage, trust: Trust, ip: string, length?: number): string[] {
  const { method, headers } = request;
  const isTold = (name: string) => {
    if (name === "content-length") return length !== undefined;
    if (name === "referer" || ofAddress.has(name)) return true;
    return ofProxy.test(name) && !trust(request.socket.remoteAddress ?? "", 0);
  };
  const sent = headersOf(request, isTold);
  sent.push("X-Forwarded-For", ip, "X-Real-IP", ip);
  if (headers.referer !== undefined) sent.push("Referer", headers.referer);
  if (length !== undefined && (length > 0 || method === "POST")) sent.push("Content-Length", `${length}`);
  else if (length === undefined && headers["transfer-encoding"]) sent.push("Transfer-Encoding", "chunked");
  return sent;
}

/** Returns the headers of a message as they came, without those of its connection and those that are told anew. */
export function headersOf({ rawHeaders, headers }: IncomingMessage, isTold?: (name: string) => boolean): string[] {
  const named = (headers.connection ?? "").toLowerCase().split(/\s*,\s*/);
  const kept: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [raw = "", value = ""] = [rawHeaders[index], rawHeaders[index + 1]];
    // CGI reads no difference.
    const name = raw.toLowerCase().replaceAll("_", "-");
    // Without its length, the peer would read the body as the next request.
    const isDropped = hopByHop.has(name) || (named.includes(name) && !/^(host|content-length)$/.test(name));
    if (!isDropped && !isTold?.(name)) kept.push(raw, value);
  }
  return kept;
}

/** Returns the address of the visitor, without the port that some proxies add. */
export function addressOf(request: IncomingMessage, trust: Trust): string {
  return proxyAddr(request, trust).replaceAll(/^::ffff:(?=[\d.]+$)|^\[(?=.+\])|\](:\d+)?$|(?<=^[\d.]+):\d+$/gi, "");
}
