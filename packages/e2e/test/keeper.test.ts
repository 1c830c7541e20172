import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test, vi } from "vitest";

const keeper = fileURLToPath(new URL("../../../scripts/keep.ts", import.meta.url));
/** Starts a process of its own, and prints its ID and the folders. */
const kept = `
  const { pid } = require("node:child_process").spawn("sleep", ["60"]);
  console.log(JSON.stringify([pid, process.env.TMPDIR, process.env.TEST_SITEWARD_MEMORY]));
`;
const run = `
  const options = { detached: true, stdio: ["pipe", "inherit", "inherit"] };
  require("node:child_process").spawn(process.execPath, ${JSON.stringify([keeper, process.execPath, "--eval", kept])}, options);
`;

test("a run of tests that was killed leaves no process and no folder", async () => {
  const killed = spawn(process.execPath, ["--eval", run], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(killed.stdout, "data");
  const [id, ...folders] = JSON.parse(String(line));
  expect(existsSync(folders[0])).toBe(true);
  killed.kill("SIGKILL");
  await vi.waitUntil(() => !folders.some(existsSync), { timeout: 60_000 });
  expect(() => process.kill(id, 0)).toThrow("ESRCH");
});
