import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

/** A program that takes longer to start than a worker may take between two beats. */
const slowStart = `
  import { openPrimaryLink } from ${JSON.stringify(new URL("primary-link.ts", import.meta.url).href)};
  const { connections } = openPrimaryLink(process);
  setTimeout(() => connections.start(() => undefined), 1500);
`;

test("a worker starts to beat when it is ready, so a slow start does not count as silence", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "siteward-"));
  const path = join(folder.path, "worker.mts");
  await writeFile(path, slowStart);
  const child = fork(path, { execArgv: [] });
  const kinds: unknown[] = [];
  child.on("message", (message: { kind?: unknown }) => kinds.push(message.kind));
  await expect.poll(() => kinds.length, { timeout: 10_000 }).toBeGreaterThan(2);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(kinds.slice(0, 3)).toEqual(["ready", "beat", "beat"]);
});
