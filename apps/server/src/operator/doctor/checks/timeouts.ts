import type { Config } from "../../../config.ts";
import type { Check } from "../check.ts";
import { type Finding, ok, warning } from "../finding.ts";

/** For how long nginx and common load balancers keep an idle connection to a server. */
export const proxyIdleSeconds = 60;

/** Whether a proxy closes idle connections before the server does. Otherwise it sends requests on connections that are closing. */
export const timeouts: Check = {
  settings: ["SITEWARD_KEEP_ALIVE_TIMEOUT", "SITEWARD_TRUST_PROXY", "SITEWARD_PUBLIC_URL"],
  run: ({ config }) => [judge(config)],
};

function judge({ timeouts: { keepAliveMs }, trustProxy, publicUrl }: Config): Finding {
  const seconds = keepAliveMs / 1000;
  const hasProxy = trustProxy !== false || publicUrl !== undefined;
  const idle = `The server closes a connection that is idle for ${seconds} seconds.`;
  if (!hasProxy || seconds > proxyIdleSeconds) return ok(idle);
  return warning(
    `${idle} A proxy keeps it for up to ${proxyIdleSeconds} seconds, so some of its requests fail.`,
    `Set SITEWARD_KEEP_ALIVE_TIMEOUT to more than ${proxyIdleSeconds}, such as 65.`,
  );
}
