import type { IncomingMessage } from "node:http";

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

/** What the edge says of a request. The length of its body is undefined if it is passed through. */
export interface Told {
  readonly ip: string;
  readonly isFromProxy: boolean;
  readonly referer: string | undefined;
  readonly length?: number;
}

/** Returns the headers with which a request is sent on. */
export function requestHeaders(request: IncomingMessage, { ip, isFromProxy, referer, length }: Told): string[] {
  const { headers, method } = request;
  const isTold = (name: string) => {
    if (name === "content-length") return length !== undefined;
    return name === "referer" || ofAddress.has(name) || (!isFromProxy && ofProxy.test(name));
  };
  const sent = headersOf(request, isTold);
  sent.push("X-Forwarded-For", ip, "X-Real-IP", ip);
  if (referer !== undefined) sent.push("Referer", referer);
  if (length === undefined && headers["transfer-encoding"]) sent.push("Transfer-Encoding", "chunked");
  if (length !== undefined && (length > 0 || method === "POST")) sent.push("Content-Length", `${length}`);
  return sent;
}

/** Returns the headers of a message as they came, without those of its connection and those that are told anew. */
export function headersOf({ rawHeaders, headers }: IncomingMessage, isTold?: (name: string) => boolean): string[] {
  const { connection = "" } = headers;
  const named = /^(keep-alive|close)?$/i.test(connection) ? [] : connection.toLowerCase().split(/\s*,\s*/);
  const kept: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [raw = "", value = ""] = [rawHeaders[index], rawHeaders[index + 1]];
    const name = raw.toLowerCase();
    if (!hopByHop.has(name) && !named.includes(name) && !isTold?.(name)) kept.push(raw, value);
  }
  return kept;
}
