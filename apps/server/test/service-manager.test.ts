import { mkdtempDisposable, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { engines } from "./support/engines.ts";
import { startProgram } from "./support/run-program.ts";

test("systemd is told that the server answers, that it is alive while its event loop turns, and that it stops", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "siteward-"));
  // In place of the program of systemd, one that writes what it is asked to send.
  const script = `#!/bin/sh\necho "$1" >> ${folder.path}/sent\n`;
  await writeFile(join(folder.path, "systemd-notify"), script, { mode: 0o755 });
  await using database = await engines.sqlite({ isMigrated: true });
  const watched = { NOTIFY_SOCKET: "/run/systemd/notify", WATCHDOG_USEC: "200000", PATH: folder.path };
  await using program = startProgram(["start", "--port", "0", "--json"], { ...database.environment, ...watched });
  const { url } = JSON.parse(await program.printed("\n"));
  const sent = async () => (await readFile(join(folder.path, "sent"), "utf8").catch(() => "")).trim().split("\n");
  await expect.poll(sent).toEqual(expect.arrayContaining(["READY=1", "WATCHDOG=1"]));
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  program.child.kill("SIGSTOP");
  const { length } = await sent();
  await sleep(1_000);
  // One can be on its way. A server that runs would have sent ten.
  expect((await sent()).length).toBeLessThanOrEqual(length + 1);
  program.child.kill("SIGCONT");
  await expect.poll(async () => (await sent()).length).toBeGreaterThan(length + 1);
  program.child.kill("SIGTERM");
  const { exitCode, stderr } = await program.ended;
  expect(exitCode).toBe(0);
  expect(stderr).not.toContain("service manager");
  const [first, ...others] = await sent();
  expect([first, ...others.filter((state) => state !== "WATCHDOG=1")]).toEqual(["READY=1", "STOPPING=1"]);
});

test("a server that cannot notify its service manager says so once, and serves", async () => {
  await using database = await engines.sqlite({ isMigrated: true });
  const watched = { NOTIFY_SOCKET: "/nonexistent/socket", WATCHDOG_USEC: "100000", PATH: "/nonexistent" };
  await using program = startProgram(["start", "--port", "0", "--json"], { ...database.environment, ...watched });
  const { url } = JSON.parse(await program.printed("\n"));
  await sleep(500);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  program.child.kill("SIGTERM");
  const { exitCode, stderr } = await program.ended;
  expect(exitCode).toBe(0);
  expect(stderr.match(/The service manager could not be notified with systemd-notify: .*ENOENT/g)).toHaveLength(1);
});
