import { Agent } from "node:http";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { engines } from "./support/engines.ts";
import { startWorkerServer } from "./support/worker-server.ts";

const killed = "Killing a worker that does not respond.";

/** Blocks the event loop of the process that gets this signal. */
const block = "process.on('SIGUSR2', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0))";
const nodeOptions = `--import=data:text/javascript,${encodeURIComponent(block)}`;

describe("a worker that hangs", { concurrent: true }, () => {
  test.for([
    ["is stopped", "SIGSTOP"],
    ["blocks its event loop", "SIGUSR2"],
  ] as const)(
    "because it %s is killed and replaced: its connections are closed, and new ones are answered",
    async ([_, signal]) => {
      await using server = await startWorkerServer(engines.sqlite, { workers: 2, nodeOptions });
      const agents = Array.from({ length: 4 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
      const askEach = () => Promise.all(agents.map((agent) => server.ask({ agent })));
      expect(new Set(await askEach())).toEqual(new Set([200]));
      const [hanging = 0] = server.workerPids();
      process.kill(hanging, signal);
      // A worker receives the signal between other events, and can still accept a connection before it.
      await sleep(300);
      const askNew = () => Promise.all(Array.from({ length: 6 }, () => server.ask()));
      const [kept, fresh] = await Promise.all([askEach(), askNew()]);
      expect(new Set(kept)).toEqual(new Set([200, "ECONNRESET"]));
      // At most one was on its way to it.
      expect(fresh.filter((status) => status !== 200).length).toBeLessThanOrEqual(1);
      await server.untilLogged(killed);
      await server.untilLogged("A worker started.", 3);
      expect(server.workerPids()).not.toContain(hanging);
      expect(new Set(await askNew())).toEqual(new Set([200]));
      for (const agent of agents) agent.destroy();
    },
  );

  test("loses at most one of a burst of connections, which is on its way to it: others answer those that wait", async () => {
    await using server = await startWorkerServer(engines.sqlite, { workers: 2 });
    const [hanging = 0, other = 0] = server.workerPids();
    for (const pid of [hanging, other]) process.kill(pid, "SIGSTOP");
    const asked = Array.from({ length: 1000 }, () => askHealth(server.url));
    await Promise.all(asked.map(({ connected }) => connected));
    process.kill(other, "SIGCONT");
    const heads = await Promise.all(asked.map(({ answered }) => answered));
    expect(heads.filter((head) => head !== "HTTP/1.1 200").length).toBeLessThanOrEqual(1);
    await server.untilLogged(killed);
  });
});

/**
 * Sends a request on a new connection. Returns the first line of the response up to the status, or an empty string if
 * there was none.
 */
function askHealth(url: string) {
  const { hostname, port } = new URL(url);
  const connected = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<string>();
  let text = "";
  const socket = connect({ host: hostname, port: Number(port) }, connected.resolve);
  socket.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  socket.on("data", (chunk) => {
    text += chunk;
  });
  socket.on("error", () => connected.resolve());
  socket.on("close", () => answered.resolve(text.slice(0, "HTTP/1.1 200".length)));
  return { connected: connected.promise, answered: answered.promise };
}
