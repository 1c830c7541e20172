import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { copyRepository } from "./support/copy-repository.ts";
import { newcomerEnvironment } from "./support/newcomer-environment.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const startLine = lineOfReadme(/^npx .* pnpm start$/m);
const installAndBuildMs = 300_000;

let clone = "";

beforeAll(() => {
  clone = copyRepository();
});

afterAll(() => rmSync(clone, { recursive: true, force: true }));

describe("the start command of the README in a fresh clone", () => {
  test(
    "installs, builds, creates an account and a key, and prints a curl line and a CLI line that work as pasted",
    async () => {
      await using started = await pasteStartLine();
      const welcome = await started.untilPrinted(/websites list/);
      const curlLine = lineOf(welcome, /^\s*curl .*$/m);
      const cliLine = lineOf(welcome, /^\s*SITEWARD_API_KEY=.*$/m);
      expect(JSON.parse(shell(curlLine)).data).toMatchObject({ id: 1, domain: "example.com" });
      expect(JSON.parse(shell(cliLine))).toMatchObject([{ id: 1, domain: "example.com" }]);
    },
    installAndBuildMs,
  );

  test(
    "serves the existing data the second time, and prints no key",
    async () => {
      const startedAtMs = performance.now();
      await using started = await pasteStartLine();
      console.log(`Second start: ${((performance.now() - startedAtMs) / 1000).toFixed(1)} s to a listening server`);
      expect((await fetch(`${started.url}/readyz`)).status).toBe(200);
      expect(started.printed()).not.toContain("swk_");
    },
    installAndBuildMs,
  );
});

interface StartedLine extends AsyncDisposable {
  readonly url: string;
  readonly printed: () => string;
  readonly untilPrinted: (pattern: RegExp) => Promise<string>;
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
    [Symbol.asyncDispose]: () => stopGroup(child),
  };
}

async function stopGroup(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  process.kill(-child.pid, "SIGINT");
  await once(child, "exit");
}

function shell(line: string): string {
  const env = newcomerEnvironment({});
  return execFileSync("sh", ["-c", line], { cwd: clone, env, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
}

function lineOf(text: string, pattern: RegExp): string {
  const line = pattern.exec(text)?.[0].trim();
  if (line === undefined) throw new Error(`No line matches ${pattern}:\n${text}`);
  return line;
}

function lineOfReadme(pattern: RegExp): string {
  return lineOf(readFileSync(join(root, "README.md"), "utf8"), pattern);
}
