import { AppError } from "@siteward/service";
import type { Request } from "express";
import { isHost } from "./base-url.ts";
import type { Step } from "./run-steps.ts";

const maxHeaders = 100;
/** URL parsers differ: some end the path at a "#", read a backslash as a slash, or strip spaces. */
const plainTarget = /^[\x21\x22\x24-\x5b\x5d-\x7e]+$/;
/** If one of these headers is repeated, a proxy and this server could each read a different one. */
const single = ["Host", "Authorization", "Content-Type", "Content-Length", "X-Request-Id"];

/**
 * Refuses requests that two programs can read differently, which is how requests are smuggled past a proxy: one of the
 * headers above that is repeated, a `Host` that is missing or not valid, an absolute request target, more headers than
 * any client sends, and versions other than HTTP/1.0 and 1.1.
 */
export const refuseAmbiguous: Step = ({ request }) => {
  const { rawHeaders, url, httpVersion } = request;
  if (httpVersion !== "1.1" && httpVersion !== "1.0") {
    throw malformed(`HTTP/${httpVersion} is not supported. Send an HTTP/1.1 request.`);
  }
  if (!url.startsWith("/")) throw malformed("The request target must be a path that starts with a slash.");
  if (!plainTarget.test(url)) {
    throw malformed('The request target contains a "#", a backslash or a character outside ASCII. Percent-encode it.');
  }
  if (rawHeaders.length > maxHeaders * 2)
    throw malformed(`The request has more than ${maxHeaders} headers. Send fewer.`);
  refuseHost(request);
  const repeated = single.find((name) => (request.headersDistinct[name.toLowerCase()]?.length ?? 0) > 1);
  if (repeated !== undefined) throw malformed(`The request has more than one ${repeated} header. Send one.`);
};

/** A URL without a host has an empty Host header (RFC 9112, section 3.2). */
function refuseHost(request: Request): void {
  const { host } = request.headers;
  if (host === undefined && request.httpVersion !== "1.0") throw malformed("The request has no Host header. Send one.");
  if (host !== undefined && host !== "" && !isHost(host)) throw malformedHost("Host");
  // Express returns the host that a trusted proxy names, if there is one.
  if (request.headers["x-forwarded-host"] !== undefined && !isHost(request.host))
    throw malformedHost("X-Forwarded-Host");
}

function malformedHost(header: string): AppError {
  return malformed(
    `The ${header} header is not a host name with an optional port. Send a value such as "example.com:8080".`,
  );
}

function malformed(detail: string): AppError {
  return new AppError("malformed_request", detail);
}
