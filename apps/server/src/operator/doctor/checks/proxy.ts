import type { Config } from "../../../config.ts";
import { isLoopback } from "../../../door/sockets/listen.ts";
import type { Check } from "../check.ts";
import { type Finding, ok, warning } from "../finding.ts";

const trust = "Set SITEWARD_TRUST_PROXY to the number of proxies in front of the server.";

/** Whether the address to listen on fits the proxies that are trusted. */
export const proxy: Check = {
  settings: ["SITEWARD_HOST", "SITEWARD_TRUST_PROXY", "SITEWARD_PUBLIC_URL"],
  run: ({ config }) => [judge(config)],
};

function judge({ host, trustProxy, publicUrl }: Config): Finding {
  if (trustProxy === false && publicUrl?.startsWith("https:")) {
    const what =
      "SITEWARD_PUBLIC_URL begins with https, but no proxy is trusted: all clients have the address of the proxy, " +
      "and share its limit of invalid API keys.";
    return warning(what, trust);
  }
  if (trustProxy === false && !isLoopback(host)) {
    const what = `The server listens on ${host} and speaks plain HTTP, so anyone on the way can read the API keys.`;
    return warning(
      what,
      `Put a proxy that adds TLS in front of it. ${trust} Without a proxy, set SITEWARD_HOST to 127.0.0.1.`,
    );
  }
  const trusted = trustProxy === false ? "no proxy is trusted" : `trusted proxies: ${String(trustProxy)}`;
  return ok(`The server listens on ${host}, ${trusted}.`);
}
