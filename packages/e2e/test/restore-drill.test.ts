import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { findFreePort } from "@siteward/testing/find-free-port";
import { lacksProgram } from "@siteward/testing/lacks-program";
import { startServer } from "@siteward/torture/target-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serverBin } from "./support/built-server.ts";
import { repositoryRoot } from "./support/documented-pages.ts";
import { buildWorlds, type World, type Worlds } from "./support/line-worlds.ts";

const page = readFileSync(join(repositoryRoot, "docs/backup.md"), "utf8");
const drill = blockAfter("## A restore drill", "sh").split("\n");

let worlds: Worlds;
beforeAll(async () => {
  worlds = await buildWorlds();
}, 60_000);
afterAll(() => worlds[Symbol.dispose]());

test("each line of the restore drill works next to a running server, and leaves nothing", async () => {
  using world = worlds.copy("filled");
  await using server = await startServer(serverBin, world.databaseUrl);
  await run(blockAfter("## Back up now", "sh"), world);
  const before = readdirSync(world.folder);
  const port = String(await findFreePort());
  const outputs: string[] = [];
  for (const line of drill) outputs.push(await run(line.replaceAll("3999", port), world));
  expect(outputs[0]).toMatch(/^Restored 2 accounts and 8 websites at version \d+ to .*drill\/siteward\.db\.\n/);
  expect(outputs[1]).toMatch(/ {2}Globex {2}/);
  expect(outputs[3]).toBe('{"status":"ready"}');
  expect(readdirSync(world.folder)).toEqual(before);
  expect(server.hasEnded()).toBe(false);
});

test("the restore of the page puts the backup of the page in the place of the database", async () => {
  using world = worlds.copy("filled");
  await run(blockAfter("## Back up now", "sh"), world);
  await run("siteward-server accounts create --name Later --email later@example.com", world);
  expect(await run(blockAfter("## Restore", "sh").trim(), world)).toContain("Restored 2 accounts and 8 websites");
  expect(await run("siteward-server accounts list", world)).not.toContain("Later");
});

test.skipIf(lacksProgram("systemd-analyze"))("systemd accepts the units of the page", async () => {
  using world = worlds.copy("empty");
  const units = [...page.matchAll(/```ini\n([\s\S]*?)```/g)].map(([, text = ""]) => text);
  const names = ["siteward-backup.service", "siteward-backup.timer"];
  // systemd requires a program that exists.
  for (const [index, name] of names.entries()) {
    const text = units[index] ?? "";
    writeFileSync(
      join(world.folder, name),
      text.replace("/opt/siteward/node_modules/.bin/siteward-server", process.execPath),
    );
  }
  const paths = names.map((name) => join(world.folder, name));
  const { stdout, stderr } = await promisify(execFile)("systemd-analyze", ["verify", ...paths]);
  expect(stdout + stderr).not.toContain("siteward-backup");
});

/** Returns the lines of the first block of code after a heading. */
function blockAfter(heading: string, language: string): string {
  const text = page.slice(page.indexOf(`${heading}\n`));
  const [, block = "exit 1"] = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\n *\`\`\``).exec(text) ?? [];
  return block;
}

/** Runs a line in a shell as pasted, in the folder of the world. Returns what it printed on standard output. */
async function run(line: string, { folder, env }: World): Promise<string> {
  const child = spawn("bash", ["-e", "-c", line], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk) => {
    stdout += String(chunk);
  });
  child.stderr.on("data", (chunk) => {
    stderr += String(chunk);
  });
  const [exitCode] = await once(child, "close");
  expect(exitCode, `${line}\n${stdout}${stderr}`).toBe(0);
  return stdout;
}
