import { createReadStream, existsSync, readFileSync } from "node:fs";
import { mkdtempDisposable, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createDatabase } from "@siteward/testing/engines/create-database";
import { openSqliteFile } from "@siteward/testing/engines/sqlite";
import { lacksProgram } from "@siteward/testing/lacks-program";
import { createRandom, type Random } from "@siteward/testing/random";
import { createAccount } from "@siteward/testing/servers/operate";
import { startServer } from "@siteward/testing/servers/start-server";
import { beforeAll, describe, expect, test } from "vitest";
import { report, rounds, seed } from "./support/attack.ts";
import { createClientLog } from "./support/client/client-log.ts";
import { createHttpClient } from "./support/client/http-client.ts";
import { readStoredWebsites } from "./support/client/stored-websites.ts";
import { runWriters } from "./support/client/writers.ts";
import { createDisk, type Disk, imageModes } from "./support/power/disk.ts";
import { readTrace, type TracedEvent, traceOptions } from "./support/power/read-trace.ts";

describe.skipIf(lacksProgram("strace"))("a power cut", () => {
  const random = createRandom(seed);
  let trace: Trace;
  beforeAll(async () => {
    trace = await traceServer(random);
  });

  test("loses no acknowledged write, whatever part of the later writes has reached the disk", async () => {
    const disk = createDisk(trace.files);
    const { images, violations } = await cutPower(trace, { disk, cuts: rounds(8), random });
    expect(violations).toEqual([]);
    const [content = ""] = trace.files.keys();
    const checkpointed = trace.events.filter((event) => event.kind === "write" && event.path === content).length;
    report({ images, acknowledged: trace.acknowledged, "pages checkpointed": checkpointed });
  });

  test("is found to lose writes on a disk that ignores syncs", async () => {
    const disk = createDisk(trace.files, { ignoresSync: true });
    const { violations } = await cutPower(trace, { disk, cuts: 2, random });
    expect(violations.join("\n")).toMatch(/ of the rest: \S+ was acknowledged with \d+, but has undefined/);
  });
});

interface Trace {
  /** The content of the files before, by path: the database, and its write-ahead log. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** Everything that was done to them while clients wrote, and all answers to the clients. */
  readonly events: readonly TracedEvent[];
  readonly acknowledged: number;
}

/** A write adds one to three pages to the log, and a checkpoint follows after 1,000, so there is at least one checkpoint. */
const writes = 1_000;

/** Traces a server under load. */
async function traceServer(random: Random): Promise<Trace> {
  await using database = await createDatabase("sqlite", { isMigrated: true });
  const accounts = [await createAccount(database.url)];
  const paths = [database.file ?? "", `${database.file}-wal`];
  const files = new Map(paths.map((path) => [path, existsSync(path) ? readFileSync(path) : Buffer.alloc(0)]));
  await using folder = await mkdtempDisposable(join(tmpdir(), "siteward-"));
  const traceFile = join(folder.path, "trace");
  await using server = await startServer(database.url, { wrapper: ["strace", ...traceOptions, "-o", traceFile] });
  using client = createHttpClient(server.url);
  const log = createClientLog();
  const isDone = () => log.counts.acknowledged >= writes;
  // The answer to a delete has no body, so the trace would not show which website it was.
  await runWriters({ client, accounts, writers: 8, random, log, name: "cut", deleteShare: 0, isDone });
  await server.kill();
  const events: TracedEvent[] = [];
  for await (const event of readTrace(createInterface({ input: createReadStream(traceFile) }))) {
    if (event.kind === "answer" || files.has(event.path)) events.push(event);
  }
  return { files, events, acknowledged: log.counts.acknowledged };
}

interface Cuts {
  readonly disk: Disk;
  /** How many times the power fails. */
  readonly cuts: number;
  readonly random: Random;
}

/** Rebuilds the files as power cuts can leave them, and opens them. */
async function cutPower({ files, events }: Trace, { disk, cuts, random }: Cuts) {
  await using folder = await mkdtempDisposable(join(tmpdir(), "siteward-"));
  const chosen = chooseCuts(events, cuts, random);
  const answered = new Map<string, number>();
  const violations: string[] = [];
  for (const [index, event] of events.entries()) {
    disk.apply(event);
    if (event.kind === "answer") noteAnswer(event.text, answered);
    if (!chosen.has(index)) continue;
    for (const mode of imageModes) {
      const image = [...files.keys()].map((path) => disk.image(path, mode, random));
      const found = await inspect(image, answered, folder.path);
      violations.push(...found.map((violation) => `Cut after event ${index}, ${mode} of the rest: ${violation}`));
    }
  }
  return { images: chosen.size * imageModes.length, violations };
}

/** Half of the cuts come right after an answer. */
function chooseCuts(events: readonly TracedEvent[], count: number, random: Random): ReadonlySet<number> {
  const answers = [...events.entries()].filter(([, { kind }]) => kind === "answer").map(([index]) => index);
  const first = answers[0] ?? 0;
  const choose = (index: number) => (index % 2 === 0 ? random.pick(answers) : random.integer(first, events.length - 1));
  return new Set(Array.from({ length: count }, (_, index) => choose(index)));
}

function noteAnswer(text: string, answered: Map<string, number>): void {
  const [, domain, mark] = /"domain":"([^"]+)".*"exclude_params":\["(\d+)"\]/.exec(text) ?? [];
  if (domain !== undefined) answered.set(domain, Number(mark));
}

/** Opens a copy of the files as a restarted server would find them. A website can be newer than its last answer. */
async function inspect(
  [content, log]: readonly (Buffer | undefined)[],
  answered: ReadonlyMap<string, number>,
  folder: string,
): Promise<string[]> {
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
