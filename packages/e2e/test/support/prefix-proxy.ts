import { type Proxy as NetworkProxy, startProxy } from "@siteward/testing/proxy";

/** Starts a proxy that serves a server behind the prefix `/siteward/`. The server has nothing below `/other/`. */
export function startPrefixProxy(serverUrl: string): Promise<NetworkProxy> {
  return startProxy(serverUrl, () => ({
    sent: (bytes) => {
      const request = bytes.toString("latin1");
      const moved = request.replace(
        /^([A-Z]+ )\/(siteward\/)?/,
        (_, method, prefix) => method + (prefix ? "/" : "/other/"),
      );
      return Buffer.from(moved, "latin1");
    },
  }));
}
