import { describe, expect, test } from "vitest";
import type { Runtime } from "../process/io.ts";
import { chooseProxy } from "./proxy.ts";

const https = "https://siteward.example.com";
const proxy = "http://proxy.example.com:3128";

function choose(env: Record<string, string>, baseUrl = https, runtime: Runtime = process) {
  return chooseProxy(baseUrl, { env, runtime });
}

test("the variable in lower case comes first, and Node gets NO_PROXY", () => {
  const env = {
    HTTPS_PROXY: "http://other",
    https_proxy: "ada:secret@proxy:3128",
    NO_PROXY: "OTHER",
    no_proxy: ".test",
  };
  const proxyEnv = { HTTPS_PROXY: "http://ada:secret@proxy:3128", NO_PROXY: ".test" };
  expect(choose(env)).toEqual({ variable: "https_proxy", proxyEnv });
});

test.each([
  ["for the other protocol", { HTTP_PROXY: proxy }, https],
  ["if NO_PROXY names the host", { HTTPS_PROXY: proxy, NO_PROXY: "a.example, Siteward.example.com" }, https],
  ["if NO_PROXY is *", { HTTPS_PROXY: proxy, no_proxy: "*" }, https],
  ["for this machine in IPv6", { HTTP_PROXY: proxy }, "http://[::1]:3000"],
])("no proxy is used %s", (_name, env, baseUrl) => {
  expect(choose(env, baseUrl)).toBeUndefined();
});

describe("a proxy that cannot be used is an error, which contains no password", () => {
  test.each(["socks5://ada:secret@proxy", "http://ada:secret@bad host", "http://ada:secret@proxy:99999"])(
    "%s",
    (url) => {
      expect(() => choose({ https_proxy: url })).toThrow(/^https_proxy is not the URL of an HTTP proxy\.$/);
    },
  );

  test.each<[name: string, runtime: Partial<Runtime>]>([
    ["Bun", { versions: { ...process.versions, bun: "1.4.0" } }],
    ["Deno", { versions: { ...process.versions, deno: "2.9.0" } }],
    ["a Node that ignores it, such as 24.4", { allowedNodeEnvironmentFlags: new Set(["--use-env"]) }],
  ])("on %s", (_name, change) => {
    const { versions, getBuiltinModule, allowedNodeEnvironmentFlags } = process;
    const runtime = { versions, getBuiltinModule, allowedNodeEnvironmentFlags, ...change };
    expect(() => choose({ HTTPS_PROXY: proxy }, https, runtime)).toThrow(
      /^HTTPS_PROXY is set, but this runtime cannot/,
    );
  });
});
