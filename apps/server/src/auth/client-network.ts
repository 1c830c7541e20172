import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** A request, with its client's address as Express finds it by the trusted proxies. */
export interface AddressedRequest {
  readonly ip?: string | undefined;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/**
 * Returns the network that a request came from: an IPv4 address, or the first 64 bits of an IPv6 address, all of which
 * one client can use (RFC 6177). If what a proxy reports is not an address, the connection's own address is used, so a
 * client gains nothing with a forged X-Forwarded-For.
 */
export function clientNetworkOf(request: AddressedRequest): string {
  return networkOf(request.ip) ?? networkOf(request.socket.remoteAddress) ?? "unknown";
}

/**
 * Returns the address of the client of a request, without a port and without a zone, which has no bound. As above, a
 * proxy that reports something else counts for nothing, so that a client cannot write into the log.
 */
export function clientAddressOf(request: AddressedRequest): string | undefined {
  const [reported = ""] = withoutPort(request.ip ?? "").split("%", 1);
  return isIP(reported) === 0 ? request.socket.remoteAddress : reported;
}

function networkOf(sent: string | undefined): string | undefined {
  const text = sent === undefined ? "" : withoutPort(sent);
  // ipaddr.js also reads "0x7f.1" and "1", which would be many names of one address.
  if (isIP(text) === 0) return undefined;
  const address = ipaddr.process(text);
  if (address instanceof ipaddr.IPv4) return address.toString();
  const parts = address.parts.slice(0, 4).map((part) => part.toString(16));
  return `${parts.join(":")}::/64`;
}

/** Some proxies add the port: `203.0.113.7:50000` or `[2001:db8::1]:50000`. */
function withoutPort(text: string): string {
  return /^(?:\[([\da-f:.%]+)\]|([\d.]+))(?::\d{1,5})?$/i.exec(text)?.slice(1).find(Boolean) ?? text;
}
