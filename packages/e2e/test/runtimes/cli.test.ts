import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BuiltServer, cliBin, startBuiltServer } from "../support/built-server.ts";
import { currentRuntimes } from "../support/current-runtimes.ts";
import { installRuntimes, type Runtimes } from "../support/install-runtimes.ts";

/** With the oldest Node that the CLI accepts. */
const names = ["node@22.12.0", ...currentRuntimes];

const resources = new AsyncDisposableStack();
let runtimes: Runtimes;
let server: BuiltServer;
let apiKey = "";
beforeAll(async () => {
  runtimes = resources.use(installRuntimes(names));
  server = resources.use(await startBuiltServer());
  ({ apiKey } = await server.createAccount());
  runOnNode("websites", "create", "--domain", "first.example.com");
});
afterAll(() => resources.disposeAsync());

describe.for(names)("the CLI on %s does the same as on this Node", (name) => {
  test.for([
    "--version",
    "websites --help",
    "websites list",
    "websites list --output table",
    "websites get 99999",
    "websites create --domain first.example.com",
    "websites get",
    "nothing",
  ])("siteward %s", (text) => {
    const commandLine = text.split(" ");
    expect(run(name, ...commandLine)).toEqual(runOnNode(...commandLine));
  });

  test("reads a password from standard input, and deletes what it created", () => {
    const created = run(name, "websites", "create", "--domain", "input.example.com", "--output", "json");
    const { id } = JSON.parse(created.stdout);
    const [program = "", ...flags] = runtimes.commandOf(name);
    const commandLine = ["websites", "update", String(id), "--privacy", "password", "--password-stdin"];
    const updated = spawnSync(program, [...flags, cliBin, ...commandLine], {
      env: environment(),
      input: "correct horse battery staple",
      encoding: "utf8",
    });
    expect(JSON.parse(updated.stdout)).toMatchObject({ privacy: 2, has_password: true });
    expect(run(name, "websites", "delete", String(id), "--yes").status).toBe(0);
  });

  test("ends without an error if the reader of its output goes away", () => {
    const command = [...runtimes.commandOf(name), cliBin, "websites", "list"].join(" ");
    const { stdout, stderr } = spawnSync("bash", ["-c", `${command} | true; echo "\${PIPESTATUS[0]}"`], {
      env: environment(),
      encoding: "utf8",
    });
    expect({ stdout, stderr }).toEqual({ stdout: "0\n", stderr: "" });
  });

  test("ends with exit code 130 if it is interrupted", async () => {
    // It accepts connections and never answers.
    await using silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    const address = silent.address();
    if (address === null || typeof address === "string") throw new Error("The server has no port.");
    const connected = once(silent, "connection");
    const [program = "", ...flags] = runtimes.commandOf(name);
    const child = spawn(program, [...flags, cliBin, "websites", "list"], {
      env: { ...environment(), SITEWARD_BASE_URL: `http://127.0.0.1:${address.port}` },
      stdio: "ignore",
    });
    const ended = once(child, "exit");
    const [connection] = await connected;
    connection.on("error", () => undefined);
    child.kill("SIGINT");
    expect(await ended).toEqual([130, null]);
    connection.destroy();
  });
});

interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(name: string, ...commandLine: string[]): Outcome {
  return runCommand([...runtimes.commandOf(name), cliBin, ...commandLine]);
}

function runOnNode(...commandLine: string[]): Outcome {
  return runCommand([process.execPath, cliBin, ...commandLine]);
}

function runCommand([program = "", ...commandLine]: readonly string[]): Outcome {
  const { status, stdout, stderr } = spawnSync(program, commandLine, { env: environment(), encoding: "utf8" });
  // Each request has an ID of its own.
  return { status, stdout, stderr: stderr.replace(/"request_id":"[^"]+"/, "") };
}

function environment(): NodeJS.ProcessEnv {
  return { ...process.env, SITEWARD_API_KEY: apiKey, SITEWARD_BASE_URL: server.url };
}
