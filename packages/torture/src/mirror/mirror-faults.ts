import { readFile, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { SmallDisk } from "../faults/small-disk.ts";
import type { Random } from "../random.ts";
import type { FaultyProxy, Weather } from "./faulty-proxy.ts";
import type { Look } from "./mirror-program.ts";
import type { MirroringProcess } from "./mirroring-process.ts";

const maxWaitMs = 10_000;

/** What can be made to fail. */
interface Target {
  readonly proxy: FaultyProxy;
  /** The program that is restarted, and whose file is broken. The other one runs all the time. */
  readonly restarted: MirroringProcess;
  readonly disk: SmallDisk;
  readonly random: Random;
  /** How long a fault lasts. */
  readonly faultMs: number;
  readonly restartServer: () => Promise<void>;
  readonly violations: string[];
}

/** Makes something fail, and recovers it. */
export type MirrorFault = (target: Target) => Promise<void>;

/** All faults, in the order in which rounds use them. */
export const mirrorFaults = {
  "service away": (target) => during(target, "away"),
  "refused key": (target) => during(target, "refused key"),
  "broken file": breakFile,
  "slow answers": (target) => during(target, "slow answers"),
  "500s": (target) => during(target, "errors"),
  "full disk": fillDisk,
  "killed service": ({ restartServer }) => restartServer(),
  "half answers": (target) => during(target, "half answers"),
  "start while the service is away": startAway,
} as const satisfies Record<string, MirrorFault>;

async function during({ proxy, faultMs }: Target, weather: Weather): Promise<void> {
  await proxy.change(weather);
  await sleep(faultMs);
  await proxy.change("fine");
}

/** Kills the program, perhaps while it writes its file, and changes the file. */
async function breakFile({ restarted, random, faultMs }: Target): Promise<void> {
  await restarted.restart();
  await sleep(random.integer(0, 2 * faultMs));
  await restarted.kill();
  const { file } = restarted.options;
  const text = await readFile(file, "utf8").catch(() => "");
  const at = random.integer(0, Math.max(0, text.length - 1));
  const broken = [text.slice(0, at), `${text.slice(0, at)}9${text.slice(at + 1)}`, "", "x".repeat(1_000_000)];
  await writeFile(file, random.pick(broken));
  await restarted.restart();
}

/** Lets the program write its file, which it does after each start with changes, while there is no space. */
async function fillDisk({ restarted, disk, faultMs }: Target): Promise<void> {
  await restarted.kill();
  disk.fill(0, restarted.processId);
  await restarted.restart();
  await until(restarted, ({ errors }) => errors.includes("file_not_written"));
  await sleep(faultMs);
  disk.free();
  // The next write is due in a minute, or after the next start.
  await restarted.restart();
}

/** The websites must be there at once, from the file. */
async function startAway({ proxy, restarted, faultMs, violations }: Target): Promise<void> {
  await restarted.kill();
  await proxy.change("away");
  await restarted.restart();
  const isServing = await until(restarted, ({ websites }) => websites.length > 0);
  if (!isServing) violations.push("A mirror with a file served nothing while the service was away.");
  await sleep(faultMs);
  await proxy.change("fine");
}

/** Waits until the program sees something. @returns false if that takes too long */
async function until(program: MirroringProcess, sees: (look: Look) => boolean): Promise<boolean> {
  for (const endMs = Date.now() + maxWaitMs; Date.now() < endMs; await sleep(20)) {
    const look = await program.look();
    if (look !== undefined && sees(look)) return true;
  }
  return false;
}
