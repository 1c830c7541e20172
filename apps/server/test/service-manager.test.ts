import { setTimeout as sleep } from "node:timers/promises";
import { lacksProgram } from "@siteward/testing/lacks-program";
import { expect, test } from "vitest";
import { engines } from "./support/engines.ts";
import { openNotifySocket } from "./support/notify-socket.ts";
import { startProgram } from "./support/run-program.ts";

const path = process.env["PATH"] ?? "";

test.skipIf(lacksProgram("systemd-notify", "perl"))(
  "systemd is told that the server answers, that it is alive while its event loop turns, and that it stops",
  async () => {
    await using socket = await openNotifySocket();
    await using database = await engines.sqlite({ isMigrated: true });
    const watched = { NOTIFY_SOCKET: socket.path, WATCHDOG_USEC: "200000", PATH: path };
    const environment = { DATABASE_URL: database.databaseUrl, ...watched };
    await using program = startProgram(["start", "--port", "0", "--json"], environment);
    const { url } = JSON.parse(await program.printed("\n"));
    await socket.until("READY=1");
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect(socket.received()[0]).toBe("READY=1");
    await socket.until("WATCHDOG=1", socket.received().length);
    process.kill(program.processId, "SIGSTOP");
    const count = socket.received().length;
    await sleep(1_000);
    // One can be on its way. A server that runs would have sent ten.
    expect(socket.received().length).toBeLessThanOrEqual(count + 1);
    process.kill(program.processId, "SIGCONT");
    await socket.until("WATCHDOG=1", count + 1);
    program.signal("SIGTERM");
    const { exitCode, stderr } = await program.ended;
    expect(exitCode).toBe(0);
    expect(stderr).not.toContain("service manager");
    expect(socket.received().filter((line) => line !== "WATCHDOG=1")).toEqual(["READY=1", "STOPPING=1"]);
  },
);

test("a server that cannot notify its service manager says so once, and serves", async () => {
  await using database = await engines.sqlite({ isMigrated: true });
  const watched = { NOTIFY_SOCKET: "/nonexistent/socket", WATCHDOG_USEC: "100000", PATH: "/nonexistent" };
  const environment = { DATABASE_URL: database.databaseUrl, ...watched };
  await using program = startProgram(["start", "--port", "0", "--json"], environment);
  const { url } = JSON.parse(await program.printed("\n"));
  await sleep(500);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  program.signal("SIGTERM");
  const { exitCode, stderr } = await program.ended;
  expect(exitCode).toBe(0);
  expect(stderr.match(/The service manager could not be notified with systemd-notify: .*ENOENT/g)).toHaveLength(1);
});
