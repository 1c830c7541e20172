import { isIPv6 } from "node:net";
import type { Request } from "express";

/**
 * A name of letters, digits, dots, hyphens and underscores, an IPv4 address, or an IPv6 address in brackets; then a
 * port. No name that a client can reach contains the other characters that RFC 3986 allows.
 */
const hostAndPort = /^(?:[\w.-]+|\[([\da-f:.]+)\])(?::(\d{0,5}))?$/i;

/** Whether a string is valid as the host in a URL (RFC 9110, section 7.2). */
export function isHost(text: string): boolean {
  const parts = hostAndPort.exec(text);
  if (parts === null) return false;
  const [, address, port] = parts;
  return (address === undefined || isIPv6(address)) && (port === undefined || Number(port) <= 65_535);
}

/**
 * Returns the URL at which the client reached the service, without a slash at the end: the configured one, or the one
 * in the request. If the request has no host, or one that is not valid, the host is `localhost`.
 */
export function baseUrlOf(request: Pick<Request, "protocol" | "host">, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return publicUrl;
  const { host } = request;
  const protocol = request.protocol === "https" ? "https" : "http";
  return `${protocol}://${host !== undefined && isHost(host) ? host : "localhost"}`;
}
