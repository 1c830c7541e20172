import type { Config } from "../config.ts";
import { isLoopback } from "../door/listen.ts";

/** Finds whether other machines can reach the server, while no proxy that adds TLS is known to be in front of it. */
export function findExposure({ host, trustProxy }: Pick<Config, "host" | "trustProxy">) {
  if (isLoopback(host) || trustProxy !== false) return undefined;
  return {
    what: `The server listens on ${host} and speaks plain HTTP, so anyone on the way can read the API keys.`,
    remedy:
      "Put a proxy that adds TLS in front of it, and set SITEWARD_TRUST_PROXY to the number of proxies. " +
      'Without a proxy, set SITEWARD_HOST to 127.0.0.1. docs/operating.md, "Behind a proxy", says how.',
  };
}
