import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { isAlive } from "@siteward/testing/process-tree";
import { startLoad } from "./load.ts";
import type { StormTarget } from "./storm-target.ts";

const maxMs = 5_000;

/** Kills the first process under load. Its workers must end and free the port. */
export async function killPrimary({ attack, database, account }: StormTarget) {
  await using server = await attack.start(database, { workers: 4 });
  await using load = startLoad(server.port, account, "primary");
  await sleep(300);
  const ids = server.answeringIds();
  const sinceMs = performance.now();
  process.kill(server.processId, "SIGKILL");
  while (performance.now() - sinceMs < maxMs && (ids.some(isAlive) || !(await isFree(server.port)))) await sleep(20);
  const freeAfterMs = performance.now() - sinceMs;
  await load.end();
  const left = ids.filter(isAlive);
  const violations: string[] = [];
  if (left.length > 0)
    violations.push(`${left.length} workers still live ${maxMs} ms after the first process was killed.`);
  else if (freeAfterMs >= maxMs)
    violations.push(`The port is not free ${maxMs} ms after the first process was killed.`);
  for (const id of left) process.kill(id, "SIGKILL");
  return { freeAfterMs, violations };
}

async function isFree(port: number): Promise<boolean> {
  const listener = createServer();
  return await new Promise<boolean>((resolve) => {
    listener.once("error", () => resolve(false));
    listener.listen({ host: "127.0.0.1", port }, () => listener.close(() => resolve(true)));
  });
}
