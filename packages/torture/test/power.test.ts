import { describe, expect, test } from "vitest";
import { createDisk } from "../src/power/disk.ts";
import { readTrace, type TracedEvent } from "../src/power/traced-event.ts";
import { createRandom } from "../src/random.ts";

const path = "/data/siteward.db-wal";

function write(offset: number, text: string): TracedEvent {
  return { kind: "write", path, offset, data: Buffer.from(text) };
}

describe("a disk after a power cut", () => {
  const random = createRandom(1);

  test("contains what was synced, and the part of the rest that the mode chooses", () => {
    const disk = createDisk(new Map([[path, Buffer.from("....")]]));
    for (const event of [write(0, "AA"), { kind: "sync", path } as const, write(2, "BBBB")]) disk.apply(event);
    expect(disk.image(path, "none", random)?.toString()).toBe("AA..");
    expect(disk.image(path, "all", random)?.toString()).toBe("AABBBB");
  });

  test("tears at most the write that follows the complete ones", () => {
    const disk = createDisk(new Map([[path, Buffer.alloc(2048, ".")]]));
    disk.apply(write(0, "A".repeat(1024)));
    disk.apply(write(1024, "B".repeat(1024)));
    const images = Array.from({ length: 200 }, () => disk.image(path, "torn", random)?.toString() ?? "");
    const sectors = new Set(images.map((image) => [0, 512, 1024, 1536].map((start) => image[start]).join("")));
    expect(sectors).toContain("AA.B");
    expect(sectors).toContain("A...");
    expect(sectors).not.toContain(".A.B");
  });

  test("loses what was truncated", () => {
    const disk = createDisk(new Map([[path, Buffer.from("AAAA")]]));
    disk.apply({ kind: "truncate", path, size: 2 });
    expect(disk.image(path, "all", random)?.toString()).toBe("AA");
    expect(disk.image(path, "none", random)?.toString()).toBe("AAAA");
  });
});

test("a trace is read in the order in which calls returned, without those that failed", async () => {
  const lines = [
    '12 pwrite64(5<\\x2f\\x77>, "\\x41\\x42", 2, 24) = 2',
    "12 fsync(5<\\x2f\\x77> <unfinished ...>",
    '13 write(7<\\x73\\x6f\\x63\\x6b\\x65\\x74\\x3a\\x5b\\x31\\x5d>, "\\x4f\\x4b", 2) = 2',
    "12 <... fsync resumed>) = 0",
    "12 fsync(5<\\x2f\\x77>) = -1 EIO (Input/output error)",
    '12 pwrite64(5<\\x2f\\x77>, "\\x43", 1, 26 <unfinished ...>',
    '13 write(7<\\x73\\x6f\\x63\\x6b\\x65\\x74\\x3a\\x5b\\x31\\x5d>, "\\x4e", 1 <unfinished ...>',
    "12 <... pwrite64 resumed>)           = 1",
    "13 <... write resumed>)              = 1",
    "12 ftruncate(5<\\x2f\\x77>, 4096) = 0",
    "13 +++ exited with 0 +++",
  ];
  const events: TracedEvent[] = [];
  for await (const event of readTrace(toStream(lines))) events.push(event);
  expect(events).toEqual([
    { kind: "write", path: "/w", offset: 24, data: Buffer.from("AB") },
    { kind: "answer", text: "OK" },
    { kind: "sync", path: "/w" },
    { kind: "write", path: "/w", offset: 26, data: Buffer.from("C") },
    { kind: "answer", text: "N" },
    { kind: "truncate", path: "/w", size: 4096 },
  ]);
});

async function* toStream(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}
