import type { IncomingMessage } from "node:http";
import type { Admitted } from "@siteward/service";

const admittedKey = Symbol("admitted");

declare module "node:http" {
  interface IncomingMessage {
    [admittedKey]?: Admitted;
  }
}

/** Notes what a route admits of a request, which ts-rest does not pass on. */
export function setAdmitted(request: IncomingMessage, admitted: Admitted): void {
  request[admittedKey] = admitted;
}

/** Returns what the route of a request admits of it. */
export function admittedOf(request: IncomingMessage): Admitted {
  const admitted = request[admittedKey];
  if (admitted === undefined) throw new Error("This request reached its operation without being admitted.");
  return admitted;
}
