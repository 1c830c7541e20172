import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { MirrorError } from "../../src/mirror/index.ts";
import { createFakeSiteward } from "../../src/testing/index.ts";
import { openFake } from "../testing/support/open-fake.ts";
import { codesOf, inOrder, mirrorFake } from "./support/open-mirror.ts";

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "siteward-mirror-"));
  file = join(folder, "websites.mirror");
});

afterEach(async () => {
  vi.useRealTimers();
  await rm(folder, { recursive: true });
});

const websites = Array.from({ length: 250 }, (_, index) => ({ domain: `site-${index}.example` }));

/** Opens a mirror, and closes it once its file is written. */
async function writeOnce(opened: ReturnType<typeof openFake>) {
  const { mirror } = await mirrorFake(opened, { file });
  await mirror.close();
  return { lastSyncAt: mirror.lastSyncAt };
}

test("a mirror with a file serves its websites at once while the service is away, says how old they are, and then follows them", async () => {
  const opened = openFake({ websites });
  const { lastSyncAt } = await writeOnce(opened);
  await opened.other.websites.update(7, { email: 1 });
  await opened.other.websites.delete(1);
  opened.fake.failNext({ networkError: true, times: 2 });
  const before = opened.fake.requests.length;
  const { mirror, changes, errors } = await mirrorFake(opened, { file, intervalMs: 20 });
  expect([mirror.size, mirror.lastSyncAt, mirror.isStale]).toEqual([250, lastSyncAt, false]);
  await expect.poll(() => changes.map(({ kind }) => kind)).toEqual(["deleted", "updated"]);
  expect(inOrder(mirror)).toEqual(opened.fake.websites);
  expect(codesOf(errors)).toEqual(["connection_failed"]);
  const statuses = opened.fake.requests.slice(before).map(({ status }) => status);
  expect(statuses.slice(0, 3)).toEqual([undefined, undefined, 200]);
});

test("a mirror with a file writes it as a whole, readable only by its user, and leaves no other file", async () => {
  const opened = openFake({ websites });
  await writeOnce(opened);
  expect(await readdir(folder)).toEqual(["websites.mirror"]);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readFile(file, "utf8")).not.toContain(opened.fake.apiKey);
});

test("a mirror with a file has changes after a minute, and without changes a newer time after an hour", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: 0 });
  const { mirror, other } = await mirrorFake(openFake(), { file });
  await other.websites.create({ domain: "a.example" });
  const minutes = 60_000;
  for (const [nowMs, writtenMs] of [
    [0, 0],
    [59_000, 0],
    [61_000, 61_000],
    [60 * minutes, 61_000],
    [62 * minutes, 62 * minutes],
  ] as const) {
    vi.setSystemTime(nowMs);
    // A sync writes nothing while the file is being written.
    const syncAndRead = () => mirror.sync().then(() => readFile(file, "utf8"));
    const head = `"last_sync_at":"${new Date(writtenMs).toISOString()}"}`;
    await expect.poll(syncAndRead).toContain(head);
  }
});

test("a mirror with a file uses no file of another API key or another service, and says so", async () => {
  const opened = openFake({ websites });
  await writeOnce(opened);
  const apiKey = opened.fake.createApiKey({ scopes: ["websites:read"] });
  const other = createFakeSiteward({ baseUrl: "https://other.test", websites: [{ domain: "other.example" }] });
  const clients = [opened.siteward.withOptions({ apiKey }), opened.siteward.withOptions(other.clientOptions)];
  for (const [index, siteward] of clients.entries()) {
    const { mirror, errors } = await mirrorFake({ ...opened, siteward }, { file });
    await mirror.close();
    expect(codesOf(errors)).toEqual(["file_not_used"]);
    expect(mirror.size).toBe(index === 0 ? 250 : 1);
    // The file of the first is now that of the second client.
    if (index === 0) expect(String(errors[0])).toContain("Its websites were read with another API key.");
    else expect(String(errors[0])).toContain("Its websites were read from https://siteward.test.");
  }
});

test.each<[string, ((text: string) => string) | undefined]>([
  ["is empty", () => ""],
  ["lacks its last line", (text) => text.slice(0, text.lastIndexOf("\n", text.length - 2) + 1)],
  ["lacks a line of websites", (text) => text.split("\n").toSpliced(2, 1).join("\n")],
  ["is of a newer version", (text) => text.replace('"version":2', '"version":3')],
  ["is one long line", () => "x".repeat(20_000_000)],
  ["has more than 256 MiB", undefined],
])("a mirror with a file that %s reports it, reads all websites, and replaces the file", async (_what, damage) => {
  const opened = openFake({ websites });
  await writeOnce(opened);
  if (damage === undefined) await truncate(file, 256 * 1024 * 1024 + 1);
  else await writeFile(file, damage(await readFile(file, "utf8")));
  const { mirror, errors } = await mirrorFake(opened, { file });
  await mirror.close();
  expect(codesOf(errors)).toEqual(["file_not_used"]);
  expect(mirror.size).toBe(250);
  const again = await mirrorFake(opened, { file });
  expect(again.errors).toEqual([]);
});

test("a mirror with a file that cannot be written reports it once, and writes it once it can", async () => {
  const opened = openFake({ websites });
  const start = Date.now();
  vi.useFakeTimers({ toFake: ["Date"], now: start });
  await rm(folder, { recursive: true });
  const { mirror, errors } = await mirrorFake(opened, { file });
  vi.setSystemTime(start + 61_000);
  await expect.poll(() => codesOf(errors)).toEqual(["file_not_written"]);
  await mirror.sync();
  expect(errors[0]).toBeInstanceOf(MirrorError);
  expect(errors[0]).toMatchObject({ cause: { code: "ENOENT" } });
  await mkdir(folder);
  vi.setSystemTime(start + 122_000);
  await mirror.sync();
  await mirror.close();
  expect(await readdir(folder)).toEqual(["websites.mirror"]);
  expect(errors.length).toBe(1);
});

test("a mirror with a file that is a device, a pipe or a socket is reported and not replaced", async () => {
  const server = createServer().listen(file);
  await once(server, "listening");
  const { mirror, errors } = await mirrorFake(openFake({ websites }), { file });
  await mirror.close();
  expect(codesOf(errors)).toEqual(["file_not_used", "file_not_written"]);
  expect((await stat(file)).isSocket()).toBe(true);
  await new Promise((resolve) => server.close(resolve));
});

test("a mirror with a file waits for another process that writes it, and removes what a killed one has left", async () => {
  const opened = openFake({ websites });
  const partial = join(folder, "websites.mirror.partial");
  await writeFile(partial, "half");
  const first = await mirrorFake(opened, { file });
  await first.mirror.close();
  expect(codesOf(first.errors)).toEqual(["file_not_written"]);
  expect(await readdir(folder)).toEqual(["websites.mirror.partial"]);
  const before = new Date(Date.now() - 61_000);
  await utimes(partial, before, before);
  await writeOnce(opened);
  expect(await readdir(folder)).toEqual(["websites.mirror"]);
});

test("a mirror with a file is shared by several programs, which report nothing if they write it at the same time", async () => {
  const opened = openFake({ websites });
  const all = await Promise.all([1, 2, 3].map(() => mirrorFake(opened, { file })));
  await expect.poll(() => readdir(folder)).toEqual(["websites.mirror"]);
  expect(all.flatMap(({ errors }) => errors)).toEqual([]);
  expect(await readdir(folder)).toEqual(["websites.mirror"]);
});

test.for(["its signal", "close"])(
  "a mirror with a file has its last changes when it ends by %s, so that no start goes back",
  async (way) => {
    const opened = openFake({ websites });
    const controller = new AbortController();
    const { mirror } = await mirrorFake(opened, { file, signal: controller.signal });
    await expect.poll(() => readdir(folder)).toEqual(["websites.mirror"]);
    await opened.other.websites.update(7, { email: 1 });
    await mirror.sync();
    if (way === "close") await mirror.close();
    else controller.abort();
    opened.fake.failNext({ networkError: true, times: Infinity });
    const emailOfNext = async () => {
      const next = await mirrorFake(opened, { file });
      await next.mirror.close();
      return next.mirror.byId(7)?.email;
    };
    await expect.poll(emailOfNext).toBe(1);
  },
);
