import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { copyRepository } from "./support/copy-repository.ts";
import { newcomerEnvironment } from "./support/newcomer-environment.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const startLine = lineOf(readPage("README.md"), /^npx .* pnpm start$/m);
const installAndBuildMs = 300_000;

let folder = "";
let clone = "";

beforeAll(() => {
  // The space must be in quotes in all lines that are printed.
  folder = mkdtempSync(join(tmpdir(), "siteward clone-"));
  clone = copyRepository(folder);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the start command of the README in a fresh clone", () => {
  test(
    "installs, builds, creates an account and a key, and prints lines for it, for curl and for the CLI that work as pasted in any folder",
    async () => {
      await using started = await pasteStartLine();
      const welcome = await started.untilPrinted(/websites list/);
      const keyLine = lineOf(welcome, /^\s*export SITEWARD_API_KEY=.*$/m);
      const curlLine = lineOf(welcome, /^\s*curl .*$/m);
      const cliLine = lineOf(welcome, /^\s*SITEWARD_BASE_URL=.*$/m);
      expect(JSON.parse(shell(`${keyLine}\n${curlLine}`, "/")).data).toMatchObject({ id: 1, domain: "example.com" });
      for (const place of [clone, "/"]) {
        const listed = shell(`${keyLine}\n${cliLine}`, place);
        expect(JSON.parse(listed)).toMatchObject([{ id: 1, domain: "example.com" }]);
      }
    },
    installAndBuildMs,
  );

  test(
    "serves the existing data the second time, prints no key but a line that creates one in any folder, and ends quietly at Ctrl-C",
    async () => {
      const startedAtMs = performance.now();
      await using started = await pasteStartLine();
      console.log(`Second start: ${((performance.now() - startedAtMs) / 1000).toFixed(1)} s to a listening server`);
      expect((await fetch(`${started.url}/readyz`)).status).toBe(200);
      expect(started.printed()).not.toContain("swk_");
      const createLine = lineOf(await started.untilPrinted(/keys create/), /^\s*npx .* keys create .*$/m);
      expect(shell(createLine, "/")).toContain("swk_");
      await started.interrupt();
      expect(started.printed()).not.toContain("failed");
    },
    installAndBuildMs,
  );
});

describe("the lines that install a package from a clone", () => {
  const pages = ["packages/sdk/README.md", "packages/rules/README.md", "packages/contract/README.md"];
  const programs = [
    ["apps/cli/README.md", "siteward"],
    ["apps/server/README.md", "siteward-server"],
  ] as const;
  const installLine = (page: string) => lineOf(readPage(page), /^ *npm install \.\.\/siteward\/.*$/m);
  let project = "";

  beforeAll(() => {
    const packLines = [...pages, ...programs.map(([page]) => page)].map((page) =>
      lineOf(readPage(page), /^.* pnpm tarballs\b/m),
    );
    expect(new Set(packLines).size).toBe(1);
    shell(packLines[0] ?? "", clone);
  }, installAndBuildMs);

  beforeEach(() => {
    project = mkdtempSync(join(folder, "project-"));
    writeFileSync(join(project, "package.json"), JSON.stringify({ private: true }));
  });

  test("are the same for the SDK in the README of the repository", () => {
    expect(readPage("README.md")).toMatch(/^pnpm tarballs\b/m);
    expect(installLine("README.md")).toBe(installLine("packages/sdk/README.md"));
  });

  test.for(pages)("make it loadable in a project: %s", (page) => {
    shell(installLine(page), project);
    const { dependencies } = JSON.parse(readFileSync(join(project, "package.json"), "utf8"));
    const [name = "missing"] = Object.keys(dependencies);
    execFileSync(process.execPath, ["--eval", `require("${name}")`], { cwd: project });
  });

  test.for(programs)(
    "make its program and the CLI command that the server prints run in a project: %s",
    ([page, program]) => {
      shell(installLine(page), project);
      const printed = execFileSync(process.execPath, [join("node_modules/.bin", program), "--help"], { cwd: project });
      expect(printed.toString()).toContain(`Usage: ${program}`);
      const cliCommand = lineOf(readPage("apps/server/src/operator/commands/start.ts"), /npx -y @siteward\/cli/);
      const settings = `npm_config_offline=true PATH="${dirname(process.execPath)}:$PATH"`;
      expect(shell(`${settings} ${cliCommand} --help`, project)).toContain("Usage: siteward ");
    },
  );
});

interface StartedLine extends AsyncDisposable {
  readonly url: string;
  readonly printed: () => string;
  readonly untilPrinted: (pattern: RegExp) => Promise<string>;
  /** Sends what Ctrl-C sends, and waits until all output is closed. */
  readonly interrupt: () => Promise<void>;
}

async function pasteStartLine(): Promise<StartedLine> {
  // The command runs in its own process group, so that all of its processes can be stopped at once, as Ctrl-C does.
  const child = spawn("sh", ["-c", startLine], {
    cwd: clone,
    env: newcomerEnvironment({ SITEWARD_PORT: "0", LOG_LEVEL: "warn" }),
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  let output = "";
  let ended = false;
  const lines = createInterface({ input: child.stdout });
  lines.on("line", (line) => {
    output += `${line}\n`;
  });
  lines.once("close", () => {
    ended = true;
  });
  const untilPrinted = async (pattern: RegExp) => {
    await expect.poll(() => pattern.test(output) || ended, { timeout: installAndBuildMs, interval: 50 }).toBe(true);
    if (!pattern.test(output)) throw new Error(`The start command ended early:\n${output}`);
    return output;
  };
  const listening = await untilPrinted(/is listening on (\S+)/);
  return {
    url: /is listening on (\S+)/.exec(listening)?.[1] ?? "",
    printed: () => output,
    untilPrinted,
    interrupt: () => interruptGroup(child),
    [Symbol.asyncDispose]: () => interruptGroup(child),
  };
}

async function interruptGroup(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  process.kill(-child.pid, "SIGINT");
  await once(child, "close");
}

function shell(line: string, cwd: string): string {
  const env = newcomerEnvironment({ npm_config_prefer_offline: "true", npm_config_loglevel: "error" });
  return execFileSync("sh", ["-c", line], { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
}

function lineOf(text: string, pattern: RegExp): string {
  const line = pattern.exec(text)?.[0].trim();
  if (line === undefined) throw new Error(`No line matches ${pattern}:\n${text}`);
  return line;
}

function readPage(page: string): string {
  return readFileSync(join(root, page), "utf8");
}
