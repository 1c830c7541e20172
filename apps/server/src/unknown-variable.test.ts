import { describe, expect, it } from "vitest";
import { settings } from "./config.ts";
import { findUnknownVariable } from "./unknown-variable.ts";

const find = (environment: Record<string, string>) => findUnknownVariable(environment, Object.keys(settings));

describe("an environment variable", () => {
  it.each([
    ["SITEWARD_PROT", "SITEWARD_PORT"],
    ["SITEWARD_HOSTS", "SITEWARD_HOST"],
    ["SITEWARD_PUBLICURL", "SITEWARD_PUBLIC_URL"],
    ["SITEWARD_TRUST_PROXIES", "SITEWARD_TRUST_PROXY"],
    ["SITEWARD_DATABASE_URL", "DATABASE_URL"],
    ["SITEWARD_LOG_LEVEL", "LOG_LEVEL"],
    ["SITEWARD_APIKEY", "SITEWARD_API_KEY"],
  ])("%s is unknown, and nearest to %s", (name, nearest) => {
    expect(find({ PATH: "/bin", [name]: "x" })).toEqual({ name, nearest });
  });

  it.each(["SITEWARD_VERSION", "SITEWARD_URL", "SITEWARD_IMAGE", "SITEWARD_ADMIN_PASSWORD"])(
    "%s is unknown, and similar to no known name",
    (name) => expect(find({ [name]: "x" })).toEqual({ name, nearest: undefined }),
  );

  it.each([
    ...Object.keys(settings),
    "SITEWARD_API_KEY",
    "SITEWARD_BASE_URL",
    "SITEWARD_PROFILE",
    "SITEWARD_CONFIG_DIR",
    "SITEWARD_PASSWORD_SHOP_EXAMPLE_COM",
  ])("%s is known", (name) => expect(find({ [name]: "x" })).toBeUndefined());

  it.each([
    ["without the prefix", { SITE_WARD_PORT: "x", siteward_port: "x", MY_SITEWARD_PORT: "x" }],
    ["that is empty, which counts as unset", { SITEWARD_PROT: "" }],
    [
      "that Kubernetes sets for a service",
      {
        SITEWARD_SERVICE_HOST: "10.0.0.11",
        SITEWARD_SERVICE_PORT: "80",
        SITEWARD_SERVICE_PORT_HTTP: "80",
        SITEWARD_PORT_80_TCP: "tcp://10.0.0.11:80",
        SITEWARD_PORT_80_TCP_PROTO: "tcp",
        SITEWARD_PORT_80_TCP_PORT: "80",
        SITEWARD_PORT_80_TCP_ADDR: "10.0.0.11",
        SITEWARD_API_PORT: "tcp://10.0.0.12:80",
        SITEWARD_API_SERVICE_HOST: "10.0.0.12",
      },
    ],
  ])("%s is no typo", (_, environment) => {
    expect(find(environment)).toBeUndefined();
  });
});
