import type { Request } from "express";

/** The URL under which the client reached the service, without a slash at the end: the configured one, or as the request says. */
export function baseUrlOf(request: Pick<Request, "protocol" | "host">, publicUrl: string | undefined): string {
  return publicUrl ?? `${request.protocol}://${request.host || "localhost"}`;
}
