import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createHttpClient, type HttpClient } from "../client/http-client.ts";
import { openSmallDisk, type SmallDisk } from "../faults/small-disk.ts";
import type { Attack } from "../row.ts";
import type { TargetServer } from "../servers/target-server.ts";
import { FaultyProxy } from "./faulty-proxy.ts";
import { MirroringProcess } from "./mirroring-process.ts";
import { WrittenTruth } from "./written-truth.ts";

/** A server with an account that is written all the time, and two programs with a mirror behind a proxy. */
export interface MirrorWorld {
  readonly attack: Attack;
  readonly proxy: FaultyProxy;
  readonly disk: SmallDisk;
  readonly truth: WrittenTruth;
  /** Runs all the time. */
  readonly steady: MirroringProcess;
  /** Is killed and started again. */
  readonly restarted: MirroringProcess;
  readonly faultMs: number;
  readonly restartServer: () => Promise<void>;
}

const diskBytes = 4 * 1024 * 1024;
const writePauseMs = 20;
/** From so many rounds on, each fault lasts as long as in an hour of 180. */
const longRounds = 60;
const [shortFaultMs, longFaultMs] = [300, 15_000];

/** Starts it. Everything ends with `started`. */
export async function startMirrorWorld(attack: Attack, started: AsyncDisposableStack): Promise<MirrorWorld> {
  const database = await attack.createDatabase();
  const { apiKey } = await attack.createAccount(database);
  const proxy = started.use(await FaultyProxy.start(attack.random.fork("proxy")));
  const disk = started.use(openSmallDisk(diskBytes));
  const truth = new WrittenTruth();
  let server: TargetServer = await attack.start(database);
  let client: HttpClient = createHttpClient(server.url, { connections: 1 });
  proxy.target = server.url;
  const restartServer = async () => {
    await server.kill();
    client[Symbol.dispose]();
    server = await attack.start(database);
    client = createHttpClient(server.url, { connections: 1 });
    proxy.target = server.url;
  };
  const faultMs = attack.rounds >= longRounds ? longFaultMs : shortFaultMs;
  const open = (name: string) =>
    started.use(
      new MirroringProcess({ url: proxy.url, apiKey, file: join(disk.folder, name), intervalMs: faultMs / 5 }),
    );
  const world = {
    attack,
    proxy,
    disk,
    truth,
    steady: open("steady"),
    restarted: open("restarted"),
    faultMs,
    restartServer,
  };
  let isDone = false;
  const random = attack.random.fork("writes");
  const writing = (async () => {
    for (; !isDone; await sleep(writePauseMs)) await truth.write(client, apiKey, random);
  })();
  started.defer(async () => {
    isDone = true;
    await writing;
    client[Symbol.dispose]();
  });
  return world;
}
