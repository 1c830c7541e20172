import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startServer } from "./support/built-server.ts";
import { newcomerEnvironment } from "./support/newcomer-environment.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const published = ["@siteward/contract", "@siteward/sdk", "@siteward/cli", "@siteward/server"];

let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "siteward-packed-"));
  for (const name of published) {
    execFileSync("pnpm", ["--filter", name, "pack", "--pack-destination", folder], { cwd: root, stdio: "pipe" });
  }
  const tarballs = readdirSync(folder).map((file) => join(folder, file));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const install = ["install", "--no-audit", "--no-fund", "--loglevel=error", ...tarballs];
  execFileSync("npm", install, { cwd: folder, env: newcomerEnvironment({}), stdio: ["ignore", "pipe", "inherit"] });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the published packages, installed with npm into an empty folder", () => {
  test("serve requests of the SDK and the CLI", async () => {
    await using server = await startServer(join(folder, "node_modules/@siteward/server/bin/siteward-server.js"));
    const { apiKey } = await server.createAccount();
    const script = `
      import { Siteward } from "@siteward/sdk";
      const siteward = new Siteward({ apiKey: ${JSON.stringify(apiKey)}, baseUrl: ${JSON.stringify(server.url)} });
      console.log((await siteward.websites.create({ domain: "packed.example.com" })).id);
    `;
    const created = execFileSync(process.execPath, ["--input-type=module", "--eval", script], {
      cwd: folder,
      encoding: "utf8",
    });
    expect(created.trim()).toBe("1");
    const cli = join(folder, "node_modules/.bin/siteward");
    const env = { ...process.env, SITEWARD_API_KEY: apiKey, SITEWARD_BASE_URL: server.url };
    const listed = execFileSync(process.execPath, [cli, "websites", "list"], { env, encoding: "utf8" });
    expect(JSON.parse(listed)).toMatchObject([{ id: 1, domain: "packed.example.com" }]);
  });

  test.for(published)("%s contains its README and licence, and names its repository", (name) => {
    const installed = join(folder, "node_modules", name);
    const { license, repository } = readManifest(installed);
    expect(readFileSync(join(installed, "LICENSE"), "utf8")).toBe(readFileSync(join(root, "LICENSE"), "utf8"));
    expect(readFileSync(join(installed, "README.md"), "utf8")).toContain(name);
    expect(license).toBe("MIT");
    expect(repository).toEqual({
      type: "git",
      url: expect.stringMatching(/^git\+https:.+\.git$/),
      directory: expect.any(String),
    });
    expect(readManifest(join(root, repository?.directory ?? "")).name).toBe(name);
  });
});

interface Manifest {
  readonly name: string;
  readonly license?: string;
  readonly repository?: { readonly type: string; readonly url: string; readonly directory: string };
}

function readManifest(directory: string): Manifest {
  return JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
}
