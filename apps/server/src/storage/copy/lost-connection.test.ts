import { type PostgresCluster, startPostgresCluster } from "@siteward/testing/postgres-cluster";
import { describe, expect, it } from "vitest";
import { engines } from "../../../test/support/engines.ts";
import { fillInstallation } from "../../../test/support/storage/fill-installation.ts";
import { readInstallation } from "../../../test/support/storage/read-installation.ts";
import type { TestDatabase } from "../../../test/support/test-database.ts";
import { copyDatabase } from "./copy-database.ts";

describe("a copy", () => {
  it.each([
    ["to", ({ databaseUrl }: TestDatabase, server: string) => ({ from: databaseUrl, to: server })],
    ["from", ({ databaseUrl }: TestDatabase, server: string) => ({ from: server, to: databaseUrl })],
  ])("%s a server that crashes reports the failure, and continues when the server is back", async (_, toEnds) => {
    await using cluster = await startPostgresCluster({ settings: ["fsync=off"] });
    await using other = await engines.sqlite();
    const ends = toEnds(other, cluster.urlOf("postgres"));
    await fillInstallation(ends.from, { websiteCount: 3_000 });
    await expectInterruption(ends, cluster);
    await cluster.start();
    await copyDatabase(ends);
    expect(await readInstallation(ends.to)).toEqual(await readInstallation(ends.from));
  });
});

async function expectInterruption(ends: { from: string; to: string }, cluster: PostgresCluster): Promise<void> {
  let crash: Promise<void> | undefined;
  const onProgress = ({ table }: { table: string }) => {
    if (table !== "websites" || crash !== undefined) return;
    crash = cluster.stop("immediate");
    // Blocks the copy until the server has certainly stopped.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
  };
  await expect(copyDatabase(ends, { onProgress })).rejects.toMatchObject({
    code: "copy_interrupted",
    message: expect.stringMatching(/^The copy was interrupted: .+\.$/),
  });
  await crash;
}
