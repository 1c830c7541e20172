import { createReadStream, existsSync, readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createClientLog } from "../client/client-log.ts";
import { createHttpClient } from "../client/http-client.ts";
import { readStoredWebsites } from "../client/stored-websites.ts";
import { runWriters } from "../client/writers.ts";
import { openSqliteFile } from "../engines/sqlite.ts";
import { hasSeenSabotage } from "../has-seen-sabotage.ts";
import { createDisk, imageModes } from "../power/disk.ts";
import { readTrace, type TracedEvent, traceOptions } from "../power/traced-event.ts";
import type { Attack, Row } from "../row.ts";

/** Rebuilds the files as a power cut can leave them, from the traced writes of a server under load, and opens them. */
export const powerLoss = {
  promise: "An acknowledged write survives a power cut, whatever part of the later writes has reached the disk.",
  engines: ["sqlite"],
  needs: ["linux", "strace"],
  rounds: { unit: "images", default: 400, short: 40 },
  run: cutPower,
} as const satisfies Row;

/** A write adds one to three pages to the log, and a checkpoint follows after 1,000, so there is at least one checkpoint. */
const minWrites = 1_000;
const maxWrites = 1_500;

async function cutPower(attack: Attack) {
  const folder = await attack.createFolder();
  const { files, events, acknowledged } = await traceServer(attack, folder);
  const firstAnswer = events.findIndex(({ kind }) => kind === "answer");
  const cuts = chooseCuts(attack, firstAnswer, events);
  const disk = createDisk(files, { ignoresSync: attack.isSabotaged });
  const answered = new Map<string, number>();
  const carriedOver = events.filter((event) => event.kind === "write" && event.path === [...files.keys()][0]).length;
  const violations: string[] = [];
  let images = 0;
  for (const [index, event] of events.entries()) {
    disk.apply(event);
    if (event.kind === "answer") noteAnswer(event.text, answered);
    if (!cuts.has(index)) continue;
    for (const mode of imageModes) {
      const image = new Map([...files.keys()].map((path) => [path, disk.image(path, mode, attack.random)]));
      const found = await inspect(image, answered, folder);
      violations.push(...found.map((violation) => `Cut after event ${index}, ${mode} of the rest: ${violation}`));
      images += 1;
    }
    if (hasSeenSabotage(attack, violations)) break;
  }
  return { figures: { images, acknowledged, "pages checkpointed": carriedOver }, violations };
}

/** Returns the original content of the files, and everything that was done to them while clients wrote. */
async function traceServer(attack: Attack, folder: string) {
  const database = await attack.createDatabase();
  const accounts = [await attack.createAccount(database)];
  const paths = [database.file ?? "", `${database.file}-wal`];
  const files = new Map(paths.map((path) => [path, existsSync(path) ? readFileSync(path) : Buffer.alloc(0)]));
  const traceFile = join(folder, "trace");
  const wrapper = ["strace", ...traceOptions, "-o", traceFile];
  await using server = await attack.start(database, { wrapper });
  using client = createHttpClient(server.url);
  const log = createClientLog();
  const writes = Math.min(maxWrites, Math.max(minWrites, attack.rounds));
  const isDone = () => log.counts.acknowledged >= writes;
  // The answer to a delete has no body, so the trace would not show which website it was.
  await runWriters({ client, accounts, writers: 8, random: attack.random, log, name: "cut", deleteShare: 0, isDone });
  await server.kill();
  const events: TracedEvent[] = [];
  for await (const event of readTrace(createInterface({ input: createReadStream(traceFile) }))) {
    if (event.kind === "answer" || files.has(event.path)) events.push(event);
  }
  return { files, events, acknowledged: log.counts.acknowledged };
}

/** Half of the cuts come right after an answer. */
function chooseCuts({ random, rounds }: Attack, first: number, events: readonly TracedEvent[]): ReadonlySet<number> {
  const answers = [...events.entries()].filter(([, { kind }]) => kind === "answer").map(([index]) => index);
  const count = Math.ceil(rounds / imageModes.length);
  return new Set(
    Array.from({ length: count }, (_, index) =>
      index % 2 === 0 ? random.pick(answers) : random.integer(first, events.length - 1),
    ),
  );
}

function noteAnswer(text: string, answered: Map<string, number>): void {
  const [, domain, mark] = /"domain":"([^"]+)".*"exclude_params":\["(\d+)"\]/.exec(text) ?? [];
  if (domain !== undefined) answered.set(domain, Number(mark));
}

/** Opens a copy of the files as a restarted server would find them. A website can be newer than its last answer. */
async function inspect(
  image: ReadonlyMap<string, Buffer | undefined>,
  answered: ReadonlyMap<string, number>,
  folder: string,
): Promise<string[]> {
  const [content, log] = [...image.values()];
  const file = join(folder, "image.db");
  for (const path of [`${file}-wal`, `${file}-shm`]) await rm(path, { force: true });
  await writeFile(file, content ?? "");
  if (log !== undefined) await writeFile(`${file}-wal`, log);
  const database = openSqliteFile(file);
  try {
    const marks = new Map((await readStoredWebsites(database)).map(({ domain, mark }) => [domain, Number(mark)]));
    const lost = [...answered].filter(([domain, mark]) => (marks.get(domain) ?? -1) < mark);
    const lines = lost.map(
      ([domain, mark]) => `${domain} was acknowledged with ${mark}, but has ${marks.get(domain)}.`,
    );
    return [...lines, ...(await database.findDamage())];
  } catch (error) {
    return [`The file cannot be read: ${error instanceof Error ? error.message : error}`];
  }
}
