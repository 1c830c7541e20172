import { describe, expect, it } from "vitest";
import { isEveryAddress, listeningUrl } from "./listen.ts";

describe("the URL of a server that listens", () => {
  it.each([
    ["127.0.0.1", "http://127.0.0.1:3000"],
    ["::1", "http://[::1]:3000"],
    ["192.0.2.7", "http://192.0.2.7:3000"],
    ["siteward.example", "http://siteward.example:3000"],
    ["fe80::1%eth0", "http://[fe80::1%eth0]:3000"],
  ])("has the host %s", (host, url) => {
    expect([listeningUrl(host, 3000), isEveryAddress(host)]).toEqual([url, false]);
  });

  it.each([
    ["0.0.0.0", "http://127.0.0.1:3000"],
    ["0", "http://127.0.0.1:3000"],
    ["000.000.000.000", "http://127.0.0.1:3000"],
    ["::ffff:0.0.0.0", "http://127.0.0.1:3000"],
    ["::", "http://[::1]:3000"],
    ["0:0:0:0:0:0:0:0", "http://[::1]:3000"],
  ])("has an address that can be called if the host is every address, %s", (host, url) => {
    expect([listeningUrl(host, 3000), isEveryAddress(host)]).toEqual([url, true]);
  });
});
