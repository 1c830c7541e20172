import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newcomerEnvironment, runIn } from "./support/run-in.ts";
import { installRuntimes } from "./support/runtimes.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const readme = readFileSync(join(root, "README.md"), "utf8");
const startLine = lineOf(readme, /^npx .* start$/m);
const installAndBuildMs = 300_000;

/** Older than the server needs, and new enough for every npm that this machine may have. */
const oldNode = "node@22.23.3";
let folder = "";
let clone = "";
let path = "";

beforeAll(() => {
  // The space must be in quotes in all lines that are printed.
  folder = mkdtempSync(join(tmpdir(), "siteward clone-"));
  clone = copyRepository(folder);
  const [node] = installRuntimes([oldNode])(oldNode);
  path = dirname(node) + delimiter + newcomerEnvironment({})["PATH"];
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test(
  "the start line of the README installs a newer Node, builds a fresh clone, and prints a key, and lines for curl and the CLI that work in any folder",
  async () => {
    await using started = await pasteStartLine();
    const welcome = await started.untilPrinted(/websites list/);
    // With those of the package manager, and those that are blank.
    expect(welcome.trimEnd().split("\n").length).toBeLessThanOrEqual(15);
    const keyLine = lineOf(welcome, /^\s*export SITEWARD_API_KEY=.*$/m);
    const curlLine = lineOf(welcome, /^\s*curl .*$/m);
    const cliLine = lineOf(welcome, /^\s*SITEWARD_BASE_URL=.*$/m);
    expect(JSON.parse(shell(`${keyLine}\n${curlLine}`)).data).toMatchObject({ id: 1, domain: "example.com" });
    expect(JSON.parse(shell(`${keyLine}\n${cliLine}`))).toMatchObject([{ id: 1, domain: "example.com" }]);
  },
  installAndBuildMs,
);

test(
  "the second time, by `npm start` of an old npm, it serves the existing data, prints no key but a line that creates one, and ends quietly at Ctrl-C",
  async () => {
    await using started = await pasteStartLine("npx -y npm@10 start");
    expect(started.printed()).not.toContain("swk_");
    const createLine = lineOf(await started.untilPrinted(/keys create/), /^ .* keys create .*$/m);
    expect(shell(createLine)).toContain("swk_");
    await started.interrupt();
    expect(started.printed()).not.toContain("failed");
  },
  installAndBuildMs,
);

interface StartedLine extends AsyncDisposable {
  readonly printed: () => string;
  readonly untilPrinted: (pattern: RegExp) => Promise<string>;
  /** Sends what Ctrl-C sends, and waits until all output is closed. */
  readonly interrupt: () => Promise<void>;
}

async function pasteStartLine(line = startLine): Promise<StartedLine> {
  // The command runs in its own process group, so that all of its processes can be stopped at once, as Ctrl-C does.
  const child = spawn("sh", ["-c", line], {
    cwd: clone,
    env: newcomerEnvironment({ PATH: path, SITEWARD_PORT: "0", LOG_LEVEL: "warn" }),
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  let output = "";
  const lines = createInterface({ input: child.stdout });
  lines.on("line", (line) => {
    output += `${line}\n`;
  });
  const closed = once(child, "close");
  const untilPrinted = async (pattern: RegExp) => {
    const isDone = () => pattern.test(output) || child.exitCode !== null;
    await expect.poll(isDone, { timeout: installAndBuildMs, interval: 50 }).toBe(true);
    if (!pattern.test(output)) throw new Error(`The start line ended early:\n${output}`);
    return output;
  };
  const interrupt = async () => {
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined)
      process.kill(-child.pid, "SIGINT");
    await closed;
  };
  await untilPrinted(/is listening on \S+/);
  return { printed: () => output, untilPrinted, interrupt, [Symbol.asyncDispose]: interrupt };
}

function shell(line: string): string {
  return runIn("/", {}, "sh", "-c", line);
}

function lineOf(text: string, pattern: RegExp): string {
  const line = pattern.exec(text)?.[0].trim();
  if (line === undefined) throw new Error(`No line matches ${pattern}:\n${text}`);
  return line;
}

/** Copies the files of the repository that git tracks or would add, as they are now, into `siteward` in the folder, and returns its path. */
function copyRepository(parent: string): string {
  const copy = join(parent, "siteward");
  const listed = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const files = execFileSync("git", listed, { cwd: root, encoding: "utf8" }).split("\0");
  // A file that was deleted, but not yet in a commit, is still listed.
  for (const file of files.filter((name) => name !== "" && existsSync(join(root, name)))) {
    cpSync(join(root, file), join(copy, file), { force: true });
  }
  // Cached build results depend on git's index, so the copy has one, as a clone does.
  execFileSync("git", ["init", "--quiet"], { cwd: copy });
  execFileSync("git", ["add", "--all"], { cwd: copy });
  return copy;
}
