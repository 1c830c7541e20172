import { describe, expect, it } from "vitest";
import { isEveryAddress, isLoopback, listeningUrl } from "./listen.ts";

describe("the URL of a server that listens", () => {
  it.each([
    ["127.0.0.1", "http://127.0.0.1:3000"],
    ["::1", "http://[::1]:3000"],
    ["siteward.example", "http://siteward.example:3000"],
    ["fe80::1%eth0", "http://[fe80::1%eth0]:3000"],
  ])("has the host %s", (host, url) => {
    expect([listeningUrl(host, 3000), isEveryAddress(host)]).toEqual([url, false]);
  });

  it.each([
    ["0.0.0.0", "http://127.0.0.1:3000"],
    ["000.000.000.000", "http://127.0.0.1:3000"],
    ["::", "http://[::1]:3000"],
    ["0:0:0:0:0:0:0:0", "http://[::1]:3000"],
  ])("has an address that can be called if the host is every address, %s", (host, url) => {
    expect([listeningUrl(host, 3000), isEveryAddress(host)]).toEqual([url, true]);
  });
});

describe("a host that only programs on this machine can reach", () => {
  it.each(["127.0.0.1", "127.1", "2130706433", "localhost", "::1", "::ffff:127.0.0.1"])("is %s", (host) =>
    expect(isLoopback(host)).toBe(true),
  );

  it.each(["0.0.0.0", "::", "::ffff:192.0.2.7", "127.example", "fe80::1%eth0"])("is not %s", (host) =>
    expect(isLoopback(host)).toBe(false),
  );
});
