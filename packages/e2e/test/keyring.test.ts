import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cliBin } from "./support/built-server.ts";

let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "siteward-keyring-"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

// apps/cli tests the keyring from source, where the files have other names.
test.runIf(process.platform === "linux")("the built CLI finds its keyring process, and the library in it", () => {
  const profiles = { default: { keyring_entry: "default-1", base_url: "http://127.0.0.1:9" } };
  writeFileSync(join(folder, "profiles.json"), JSON.stringify({ profiles }), { mode: 0o600 });
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    SITEWARD_CONFIG_DIR: folder,
    DBUS_SESSION_BUS_ADDRESS: `unix:path=${folder}/missing`,
  };
  const run = spawnSync(process.execPath, [cliBin, "account"], { env, encoding: "utf8" });
  expect(run.status).toBe(2);
  const { error } = JSON.parse(run.stderr);
  expect(error.code).toBe("settings_unusable");
  expect(error.message, "the library tried to connect").toContain(`${folder}/missing`);
});
