import { expect, it } from "vitest";
import { findExposure, isEveryAddress, listeningUrl } from "./listen.ts";

it.each([
  ["::1", "http://[::1]:3000", false],
  ["siteward.example", "http://siteward.example:3000", false],
  ["fe80::1%eth0", "http://[fe80::1%eth0]:3000", false],
  // Every address, which cannot be called.
  ["000.000.000.000", "http://127.0.0.1:3000", true],
  ["0:0:0:0:0:0:0:0", "http://127.0.0.1:3000", true],
])("a server that listens on %s is called at %s", (host, url, isEvery) => {
  expect([listeningUrl(host, 3000), isEveryAddress(host)]).toEqual([url, isEvery]);
});

it("does not warn of plain HTTP if a proxy is trusted", () => {
  expect(findExposure({ host: "0.0.0.0", trustProxy: 1 })).toBeUndefined();
});

it.each([
  [undefined, ["127.0.0.1", "127.1", "2130706433", "localhost", "::1", "::ffff:127.0.0.1"]],
  [expect.anything(), ["0.0.0.0", "::", "::ffff:192.0.2.7", "127.example", "fe80::1%eth0"]],
])("warns of plain HTTP unless only programs on this machine can reach the host: %s for %j", (exposure, hosts) => {
  for (const host of hosts) expect(findExposure({ host, trustProxy: false }), host).toEqual(exposure);
});
