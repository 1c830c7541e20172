import { isIPv6 } from "node:net";
import type { Request } from "express";

/**
 * A name of letters, digits, dots, hyphens and underscores, an IPv4 address, or an IPv6 address in brackets; then a port.
 * The other characters that RFC 3986 allows in a name stand in no name that a client can reach.
 */
const hostAndPort = /^(?:[\w.-]+|\[([\da-f:.]+)\])(?::(\d{0,5}))?$/i;

/** Almost every request names the same host as the one before. */
let lastHost = "localhost";

/** Whether a string can stand as the host in a URL (RFC 9110, section 7.2). */
export function isHost(text: string): boolean {
  if (text === lastHost) return true;
  const parts = hostAndPort.exec(text);
  if (parts === null) return false;
  const [, address, port] = parts;
  const isValid = (address === undefined || isIPv6(address)) && (port === undefined || Number(port) <= 65_535);
  if (isValid) lastHost = text;
  return isValid;
}

/**
 * The URL under which the client reached the service, without a slash at the end: the configured one, or as the request
 * says. A request without a host, or with one that is not valid, gets a URL of the machine itself.
 */
export function baseUrlOf(request: Pick<Request, "protocol" | "host">, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return publicUrl;
  const { host } = request;
  const protocol = request.protocol === "https" ? "https" : "http";
  return `${protocol}://${host !== undefined && isHost(host) ? host : "localhost"}`;
}
