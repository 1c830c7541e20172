import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { mkdtempDisposable, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lacksProgram } from "@siteward/testing/lacks-program";
import { serverBin } from "@siteward/testing/servers/built-programs";
import { startServer } from "@siteward/testing/servers/start-server";
import { load } from "js-yaml";
import { describe, expect, test } from "vitest";
import { repositoryRoot } from "./support/documented-pages.ts";

const unitFile = join(repositoryRoot, "deploy/siteward.service");
const edgeUnitFile = join(repositoryRoot, "deploy/siteward-edge.service");
const unit = await readFile(unitFile, "utf8");
const containerfile = await readFile(join(repositoryRoot, "deploy/Containerfile"), "utf8");
/** What these tests read of the file of compose. */
interface Compose {
  readonly services: Readonly<Record<"server" | "database", Service>>;
  readonly volumes: object;
}

interface Service {
  readonly environment: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
}

const compose = load(await readFile(join(repositoryRoot, "deploy/compose.yaml"), "utf8")) as Compose;

describe("the systemd unit", () => {
  const lacksSystemd = lacksProgram("systemd-analyze");

  test.skipIf(lacksSystemd)("has an exposure of at most 2.0, and the one that docs/deploying.md states", async () => {
    // The threshold is ten times the exposure.
    const limit = ["--offline=true", "--threshold=20", "--no-pager"];
    expect(analyze("security", ...limit, edgeUnitFile)).toMatchObject({ status: 0 });
    const { status, stdout } = analyze("security", ...limit, unitFile);
    expect(status, stdout).toBe(0);
    const [, exposure] = /Overall exposure level for siteward\.service: ([\d.]+)/.exec(stdout) ?? [];
    expect(await readFile(join(repositoryRoot, "docs/deploying.md"), "utf8")).toContain(`gives ${exposure}, `);
  });

  test.skipIf(lacksSystemd)(
    "has only directives and values that systemd knows, as have those of the backup and the edge",
    async () => {
      await using folder = await mkdtempDisposable(join(tmpdir(), "siteward-unit-"));
      const services = ["siteward.service", "siteward-backup.service", "siteward-edge.service"];
      const names = [...services, "siteward-backup.timer"];
      for (const name of names) {
        const text = await readFile(join(repositoryRoot, "deploy", name), "utf8");
        // systemd-analyze also checks that the programs exist. The server is not installed here.
        const moved = text.replace(/\/opt\/siteward[\w-]*\/node_modules\/.bin\/siteward-\w+/, process.execPath);
        await writeFile(join(folder.path, name), moved);
      }
      const files = names.map((name) => join(folder.path, name));
      expect(analyze("verify", "--man=no", ...files)).toMatchObject({ status: 0, stderr: "" });
    },
  );

  test("starts a server again without end, such as one whose PostgreSQL does not answer, unless a setting is wrong", () => {
    const start = (settings: Readonly<Record<string, string>>) =>
      spawnSync(process.execPath, [serverBin, "start"], { env: settings, timeout: 60_000 }).status;
    const [, prevented] = /^RestartPreventExitStatus=(.*)$/m.exec(unit) ?? [];
    expect(start({ DATABASE_URL: "postgres://siteward@127.0.0.1:1/siteward" })).toBe(1);
    expect(start({ SITEWARD_PORT: "x" })).toBe(2);
    expect(prevented).toBe("2");
    expect(unit).toContain("\nRestart=always\n");
    expect(unit).toContain("\nStartLimitIntervalSec=0\n");
  });

  test("waits for two signs of life, and longer for a stop than the server takes", () => {
    const seconds = (name: string) => Number(new RegExp(`^${name}=(\\d+)$`, "m").exec(unit)?.[1]);
    expect(unit).toContain("Type=notify\nNotifyAccess=all\n");
    // A sign of life takes systemd-notify up to 6 s.
    expect(seconds("WatchdogSec") / 2).toBeGreaterThan(6);
    // 10 s for requests in progress, and workers are killed after 15.
    expect(seconds("TimeoutStopSec")).toBeGreaterThan(15);
  });
});

describe("each way to run the server for good", { concurrent: true }, () => {
  test("the systemd unit starts the server with settings that it accepts", async () => {
    const settings = Object.fromEntries(
      [...unit.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value]),
    );
    expect(Object.keys(settings)).toEqual(["SITEWARD_WORKERS", "DATABASE_URL", "NODE_OPTIONS", "NODE_COMPILE_CACHE"]);
    const [, words = ""] = /^ExecStart=\S+ (.*)$/m.exec(unit) ?? [];
    await requireStart({ settings, words: words.split(" "), dataFolder: "/var/lib/siteward" });
  });

  test("the container starts the server with its settings and those of compose, and its health check sees whether it answers", async () => {
    const [, assignments = ""] = /^ENV ((?:.*\\\n)*.*)$/m.exec(containerfile) ?? [];
    // The values of these three name the other service, and variables of the person who runs compose.
    const { DATABASE_URL, PGPASSWORD, SITEWARD_PUBLIC_URL: _, ...ofCompose } = compose.services.server.environment;
    expect(DATABASE_URL).toBe("postgres://siteward@database:5432/siteward");
    expect(PGPASSWORD).toBe(compose.services.database.environment["POSTGRES_PASSWORD"]);
    const ofContainer = [...assignments.matchAll(/(\w+)=(\S+)/g)].map(([, name = "", value = ""]) => [name, value]);
    const more = Object.entries(ofCompose).map(([name, value]) => [name, String(value)]);
    const settings: Record<string, string> = Object.fromEntries([...ofContainer, ...more]);
    expect(settings["SITEWARD_HOST"]).toBe("::");
    const [, words = ""] = /^CMD (\[.*\])$/m.exec(containerfile) ?? [];
    const [, check = ""] = /^HEALTHCHECK .*\\\n\s*CMD (\[.*\])$/m.exec(containerfile) ?? [];
    const [, ...checkWords]: string[] = JSON.parse(check);
    const isHealthy = (env: Readonly<Record<string, string>>) =>
      spawnSync(process.execPath, checkWords, { env }).status === 0;
    const { SITEWARD_HOST: host = "" } = settings;
    const port = await requireStart({ settings, words: JSON.parse(words), dataFolder: "/data" }, async (started) => {
      const port = String(started);
      for (const [name, healthy] of Object.entries({ [host]: true, "0.0.0.0": true, "127.0.0.2": false, "::1": false }))
        expect([name, isHealthy({ SITEWARD_HOST: name, SITEWARD_PORT: port })]).toEqual([name, healthy]);
      expect(isHealthy({ SITEWARD_HOST: host, PORT: port })).toBe(true);
    });
    expect(isHealthy({ SITEWARD_HOST: host, PORT: String(port) })).toBe(false);
  });
});

test("the container and compose do not run as root, write only to the volume, and publish only a port for a proxy", () => {
  expect(containerfile).toMatch(/^USER 1000:1000$/m);
  expect(containerfile).toMatch(/^VOLUME \/data$/m);
  const { server, database } = compose.services;
  expect(server).toMatchObject({
    read_only: true,
    cap_drop: ["ALL"],
    security_opt: ["no-new-privileges:true"],
    ports: ["127.0.0.1:3000:3000"],
    volumes: ["server:/data"],
    depends_on: { database: { condition: "service_healthy" } },
  });
  expect(database.ports).toBeUndefined();
  expect(Object.keys(compose.volumes)).toEqual(["server", "database"]);
});

interface Deployment {
  readonly settings: Readonly<Record<string, string>>;
  /** The command line after the program. */
  readonly words: readonly string[];
  /** The folder of the data, in place of which the test has one of its own. */
  readonly dataFolder: string;
}

/** Starts the built server as a deployment does, but on loopback, and stops it after `work`. Returns its port. */
async function requireStart(
  { settings, words, dataFolder }: Deployment,
  work: (port: number) => Promise<void> = async () => undefined,
): Promise<number> {
  await using folder = await mkdtempDisposable(join(tmpdir(), "siteward-deploy-"));
  const here = (text: string) => text.replaceAll(dataFolder, folder.path);
  const [, ...more] = words.map(here);
  const moved = Object.entries(settings).map(([name, value]) => [name, here(value)]);
  const own = { SITEWARD_HOST: "127.0.0.1", NODE_DISABLE_COMPILE_CACHE: "1" };
  const { DATABASE_URL: databaseUrl = `file:${join(folder.path, "siteward.db")}`, ...others } =
    Object.fromEntries(moved);
  const workers = Number(others["SITEWARD_WORKERS"] ?? 1);
  const bootstrap = more.length > 0 ? more : ["--bootstrap"];
  await using server = await startServer(databaseUrl, {
    workers,
    settings: { ...others, ...own },
    words: bootstrap,
  });
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  await work(server.port);
  expect(await server.stop()).toEqual({ code: 0, signal: null });
  return server.port;
}

function analyze(...words: readonly string[]): SpawnSyncReturns<string> {
  return spawnSync("systemd-analyze", words, { encoding: "utf8" });
}
