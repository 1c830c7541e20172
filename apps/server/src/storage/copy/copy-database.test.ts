import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { engines } from "../../../test/support/engines.ts";
import { fillInstallation } from "../../../test/support/storage/fill-installation.ts";
import { newWebsite } from "../../../test/support/storage/open-test-storage.ts";
import { readInstallation } from "../../../test/support/storage/read-installation.ts";
import { searchEverything } from "../../../test/support/storage/search-everything.ts";
import { openWithTestAuthor } from "../../../test/support/storage/with-test-author.ts";
import type { TestDatabase } from "../../../test/support/test-database.ts";
import { openDatabase } from "../database/open-database.ts";
import { copyDatabase } from "./copy-database.ts";
import type { CopyListeners } from "./copy-run.ts";

const slowCopy = fileURLToPath(new URL("../../../test/support/storage/copy-slowly.ts", import.meta.url));
const ways = Object.entries(engines).flatMap(([fromName, from]) =>
  Object.entries(engines).map(([toName, to]) => ({ fromName, toName, from, to })),
);

describe.each(ways)("a copy from $fromName to $toName", ({ from, to }) => {
  it("contains the same rows, and reports the count and the checksum of each table", async () => {
    await using source = await from();
    await using destination = await to();
    await fillInstallation(source.databaseUrl, { websiteCount: 2_600 });
    const before = await readInstallation(source.databaseUrl);
    const result = await copy(source, destination);
    expect(await readInstallation(destination.databaseUrl)).toEqual(before);
    expect(await readInstallation(source.databaseUrl)).toEqual(before);
    expect(await destination.findFaults()).toEqual([]);
    expect(result).toEqual({
      accounts: digest(before.accounts),
      api_keys: digest(before.apiKeys),
      websites: digest(before.websites),
      audit_entries: digest(before.auditEntries),
      idempotency_keys: digest(before.idempotencyKeys),
      account_deletions: digest(before.accountDeletions),
    });
  });

  it("grants no client access before it is complete, even if a server already runs on it", async () => {
    await using source = await from();
    await using destination = await to();
    await fillInstallation(source.databaseUrl, { websiteCount: 2_500 });
    const stop = new AbortController();
    const onProgress: CopyListeners["onProgress"] = ({ step, table }) => {
      if (step === "copying" && table === "websites") stop.abort();
    };
    await expect(copy(source, destination, { onProgress, signal: stop.signal })).rejects.toThrow(
      "The copy was stopped",
    );
    const database = await openDatabase(destination);
    const count = (table: "websites" | "api_keys") =>
      database.primary.read(database.build.selectFrom(table).selectAll());
    expect(await count("websites")).not.toEqual([]);
    expect(await count("api_keys")).toEqual([]);
    await database.close();
  });

  it("can be searched and written like the original", async () => {
    await using source = await from();
    await using destination = await to();
    await fillInstallation(source.databaseUrl, { websiteCount: 300 });
    await copy(source, destination);
    expect(await searchEverything(destination.databaseUrl)).toEqual(await searchEverything(source.databaseUrl));
    const [original, other] = await Promise.all([openWithTestAuthor(source), openWithTestAuthor(destination)]);
    const [left, right] = await Promise.all(
      [original, other].map(({ websites }) => websites.create(1, newWebsite("new.example"))),
    );
    expect(right?.website.id).toBe(left?.website.id);
    expect(await other.websites.delete(2, 1)).toBe(true);
    await Promise.all([original.close(), other.close()]);
    expect(await destination.findFaults()).toEqual([]);
  });

  it("that is killed repeatedly continues each time, and becomes equal to the original", async () => {
    await using source = await from();
    await using destination = await to();
    await fillInstallation(source.databaseUrl, { websiteCount: 5_000 });
    for (const line of ["copying websites 1000", "copying websites 3000"]) {
      await killCopyAt(line, source, destination);
      await expect(openWithTestAuthor(destination)).rejects.toThrow("unfinished copy");
    }
    const steps: string[] = [];
    const onProgress: CopyListeners["onProgress"] = ({ step, table, total }) => steps.push(`${step} ${table} ${total}`);
    await copy(source, destination, { onProgress });
    const kept = Number(steps.find((step) => step.startsWith("comparing websites"))?.split(" ")[2]);
    expect(kept).toBeGreaterThanOrEqual(3_000);
    expect(kept).toBeLessThan(5_000);
    expect(await readInstallation(destination.databaseUrl)).toEqual(await readInstallation(source.databaseUrl));
    expect(await destination.findFaults()).toEqual([]);
  });
});

function copy(source: TestDatabase, destination: TestDatabase, listeners: CopyListeners = {}) {
  return copyDatabase({ from: source.databaseUrl, to: destination.databaseUrl }, listeners);
}

/** Returns the expected digest of a table with these rows: one line of JSON per row, with byte strings in hexadecimal. */
function digest(rows: readonly object[]) {
  const lines = rows.map((row) => {
    const values: unknown[] = Object.values(row);
    const written = values.map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value));
    return `${JSON.stringify(written)}\n`;
  });
  return { count: rows.length, sha256: createHash("sha256").update(lines.join("")).digest("hex") };
}

async function killCopyAt(line: string, source: TestDatabase, destination: TestDatabase): Promise<void> {
  const child = spawn(process.execPath, [slowCopy, source.databaseUrl, destination.databaseUrl], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  for await (const printed of createInterface({ input: child.stdout })) {
    if (printed === line) child.kill("SIGKILL");
  }
  await ended;
  expect(child.signalCode).toBe("SIGKILL");
}
