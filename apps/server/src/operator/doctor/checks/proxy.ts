import type { Config } from "../../../config.ts";
import { findExposure } from "../../io/find-exposure.ts";
import type { Check } from "../check.ts";
import { type Finding, ok, warning } from "../finding.ts";

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
    return warning(what, "Set SITEWARD_TRUST_PROXY to the number of proxies in front of the server.");
  }
  const exposure = findExposure({ host, trustProxy });
  if (exposure !== undefined) return warning(exposure.what, exposure.remedy);
  const trusted = trustProxy === false ? "no proxy is trusted" : `trusted proxies: ${String(trustProxy)}`;
  return ok(`The server listens on ${host}, ${trusted}.`);
}
