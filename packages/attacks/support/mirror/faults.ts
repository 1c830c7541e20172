import { readFile, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "@siteward/testing/random";
import { expect } from "vitest";
import type { SmallDisk } from "../disk/small-disk.ts";
import type { FaultyProxy, Weather } from "./faulty-proxy.ts";
import type { MirroringProcess } from "./mirroring-process.ts";
import type { WrittenTruth } from "./written-truth.ts";

/** A server with an account that is written all the time, and two programs with a mirror behind a proxy. */
export interface MirrorWorld {
  readonly truth: WrittenTruth;
  readonly proxy: FaultyProxy;
  /** Runs all the time. */
  readonly steady: MirroringProcess;
  /** Is killed and started again, and its file is broken. */
  readonly restarted: MirroringProcess;
  /** Where both keep their files. */
  readonly disk: SmallDisk;
  readonly random: Random;
  /** How long a fault lasts. */
  readonly faultMs: number;
  readonly restartServer: () => Promise<void>;
}

/** Makes something fail, and recovers it. */
export type MirrorFault = (world: MirrorWorld) => Promise<void>;

/** All faults, in the order in which rounds use them. */
export const mirrorFaults: readonly (readonly [name: string, fail: MirrorFault])[] = [
  ["service away", (world) => during(world, "away")],
  ["refused key", (world) => during(world, "refused key")],
  ["broken file", breakFile],
  ["slow answers", (world) => during(world, "slow answers")],
  ["500s", (world) => during(world, "errors")],
  ["full disk", fillDisk],
  ["killed service", ({ restartServer }) => restartServer()],
  ["half answers", (world) => during(world, "half answers")],
  ["start while the service is away", startAway],
];

async function during({ proxy, faultMs }: MirrorWorld, weather: Weather): Promise<void> {
  proxy.weather = weather;
  await sleep(faultMs);
  proxy.weather = "fine";
}

/** Kills the program, perhaps while it writes its file, and changes the file. */
async function breakFile({ restarted, random, faultMs }: MirrorWorld): Promise<void> {
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

/** A mirror that waits after failures may need so long. */
const waiting = { interval: 20, timeout: 60_000 };

/** Lets the program write its file, which it does after each start with changes, while there is no space. */
async function fillDisk({ restarted, disk, faultMs }: MirrorWorld): Promise<void> {
  await restarted.kill();
  disk.fill(0, restarted.processId);
  await restarted.restart();
  await expect.poll(async () => (await restarted.look())?.errors, waiting).toContain("file_not_written");
  await sleep(faultMs);
  disk.free();
  // The next write is due in a minute, or after the next start.
  await restarted.restart();
}

/** The websites must be there at once, from the file. */
async function startAway({ proxy, restarted, faultMs }: MirrorWorld): Promise<void> {
  await restarted.kill();
  proxy.weather = "away";
  await restarted.restart();
  await expect.poll(async () => (await restarted.look())?.websites.length, waiting).toBeGreaterThan(0);
  await sleep(faultMs);
  proxy.weather = "fine";
}
