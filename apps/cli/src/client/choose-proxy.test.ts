import { describe, expect, test } from "vitest";
import { chooseProxy } from "./choose-proxy.ts";

const https = "https://siteward.example.com";
const proxy = "http://proxy.example.com:3128";

function choose(env: Record<string, string>, baseUrl = https, versions: Record<string, string> = { node: "24.5.0" }) {
  const runtime = { getBuiltinModule: process.getBuiltinModule, versions: versions as NodeJS.ProcessVersions };
  return chooseProxy(baseUrl, { env, runtime });
}

describe("a proxy is used", () => {
  test.each([
    ["of HTTPS_PROXY for https", { HTTPS_PROXY: proxy, HTTP_PROXY: "http://other" }, https, { HTTPS_PROXY: proxy }],
    [
      "of HTTP_PROXY for http",
      { HTTPS_PROXY: "http://other", HTTP_PROXY: proxy },
      "http://a.example",
      { HTTP_PROXY: proxy },
    ],
    ["in lower case first", { HTTPS_PROXY: "http://other", https_proxy: proxy }, https, { HTTPS_PROXY: proxy }],
    ["that is itself HTTPS", { HTTPS_PROXY: "https://proxy" }, https, { HTTPS_PROXY: "https://proxy" }],
    [
      "without http:// in front",
      { HTTPS_PROXY: "ada:secret@proxy:3128" },
      https,
      { HTTPS_PROXY: "http://ada:secret@proxy:3128" },
    ],
  ])("%s", (_name, env, baseUrl, expected) => {
    expect(choose(env, baseUrl)?.proxyEnv).toEqual({ ...expected, NO_PROXY: "" });
  });

  test("unless Node finds the host in NO_PROXY", () => {
    const env = { HTTPS_PROXY: proxy, NO_PROXY: "OTHER", no_proxy: ".example.com,10.0.0.1-10.0.0.9" };
    expect(choose(env)).toEqual({
      variable: "HTTPS_PROXY",
      proxyEnv: { HTTPS_PROXY: proxy, NO_PROXY: ".example.com,10.0.0.1-10.0.0.9" },
    });
  });
});

describe("no proxy is used", () => {
  test.each([
    ["if none is set", {}, https],
    ["if the variable is empty", { HTTPS_PROXY: "" }, https],
    ["for the other protocol", { HTTP_PROXY: proxy }, https],
    ["if NO_PROXY names the host", { HTTPS_PROXY: proxy, NO_PROXY: "a.example, Siteward.example.com" }, https],
    ["if NO_PROXY is *", { HTTPS_PROXY: proxy, no_proxy: "*" }, https],
    ["for localhost", { HTTP_PROXY: proxy }, "http://localhost:3000"],
    ["for this machine", { HTTP_PROXY: proxy }, "http://127.0.0.1:3000"],
    ["for this machine in IPv6", { HTTP_PROXY: proxy }, "http://[::1]:3000"],
  ])("%s", (_name, env, baseUrl) => {
    expect(choose(env, baseUrl)).toBeUndefined();
  });
});

describe("a proxy that cannot be used is an error, which contains no password", () => {
  test.each(["socks5://ada:secret@proxy", "http://ada:secret@bad host", "http://ada:secret@proxy:99999"])(
    "%s",
    (url) => {
      expect(() => choose({ https_proxy: url })).toThrow(/^https_proxy is not the URL of an HTTP proxy\.$/);
    },
  );

  test.each([
    [{ node: "22.12.0" }, "Node"],
    [{ node: "22.20.0" }, "Node"],
    [{ node: "23.11.0" }, "Node"],
    [{ node: "24.4.1" }, "Node"],
    [{ node: "24.5.0", bun: "1.4.0" }, "Bun"],
    [{ node: "24.5.0", deno: "2.9.0" }, "Deno"],
  ])("on %j", (versions, name) => {
    const env = { HTTPS_PROXY: proxy };
    expect(() => choose(env, https, versions)).toThrow(
      `HTTPS_PROXY is set, but this version of ${name} cannot use a proxy.`,
    );
  });

  test.each(["22.21.0", "24.5.0", "24.21.0", "25.0.0", "26.1.0"])("but not on Node %s", (node) => {
    expect(choose({ HTTPS_PROXY: proxy }, https, { node })).toBeDefined();
  });
});
