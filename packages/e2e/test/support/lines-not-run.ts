/**
 * The lines that `docs-commands.test.ts` does not run, by the reason. A line that is not among them runs. The words of all of them are
 * checked.
 */
export const notRun: Readonly<Record<string, readonly string[]>> = {
  "packages/e2e/test/from-a-clone.test.ts runs it in a fresh clone, and in a project next to it": [
    "npx -y -p node@24 -p pnpm@10 pnpm start",
    "npx -y -p node@24 -p pnpm@10 pnpm tarballs",
    "npm install ../siteward/tarballs/siteward-sdk.tgz",
    "npm install ../siteward/tarballs/siteward-rules.tgz",
    "npm install ../siteward/tarballs/siteward-cli.tgz",
    "npm install ../siteward/tarballs/siteward-contract.tgz",
    "npm install ../siteward/tarballs/siteward-contract.tgz ../siteward/tarballs/siteward-server.tgz ../siteward/tarballs/siteward-cli.tgz",
  ],
  "packages/e2e/test/registry.test.ts installs from a registry, with npm and with npx": [
    "npm install @siteward/contract",
    "npm install @siteward/sdk",
    "npm install @siteward/rules",
    "npm install --global @siteward/cli",
    "npx @siteward/server start --bootstrap",
  ],
  "packages/e2e/test/restore-drill.test.ts runs it without a server, or after the other lines of the drill": [
    "siteward-server restore siteward-backup.db",
    "siteward-server restore siteward-backup.db --database-url file:./drill/siteward.db",
    "siteward-server accounts list --database-url file:./drill/siteward.db",
    "siteward-server start --database-url file:./drill/siteward.db --port 3999 > drill.log 2>&1 & echo $! > drill.pid",
    "curl --retry 20 --retry-all-errors --retry-delay 1 http://127.0.0.1:3999/readyz",
  ],
  "packages/e2e/test/sync-example.test.ts runs the program": [
    "SITEWARD_API_KEY=swk_… npx -y -p node@24 node examples/sync.ts websites.csv",
  ],
  "packages/bench/test/commands.test.ts tests the command, which takes minutes": [
    "pnpm bench http",
    "pnpm bench http --latency-ms 1 --only get",
    "pnpm bench mixed",
    "pnpm bench http mixed capacity --write-docs",
    "pnpm bench sdk",
    "pnpm bench cli",
    "pnpm bench changes",
    "pnpm bench metrics",
    "pnpm bench rules",
    "pnpm bench storage",
  ],
  "packages/torture/test/rows.test.ts tests the rows, which take minutes": [
    "pnpm torture",
    "pnpm torture kill-nine --rounds 10",
    "pnpm torture kill-nine --rounds 200",
    "ROUNDS=200 pnpm test sequences",
    "SITEWARD_TEST_REPLAY=1656859994/149:0:1 pnpm test sequences",
    "pnpm torture --rounds short",
    "pnpm torture --rounds 10x",
    "pnpm torture --seed 42",
    "pnpm torture --sabotage",
    "pnpm torture --write-docs",
    "pnpm torture --list",
  ],
  "apps/server/test/metrics.test.ts starts servers with metrics": ["siteward-server start --metrics 127.0.0.1:9464"],
  "apps/server/test/copy-between-engines.test.ts copies to a PostgreSQL of its own": [
    "siteward-server copy --from file:./data/siteward.db --to postgres://siteward@db.example/siteward",
  ],
  "apps/server/src/storage/migrations/distribution.test.ts migrates on Citus, and this one needs a coordinator": [
    "DATABASE_URL='postgres://siteward:secret@coordinator.example:5432/siteward?sslmode=require' siteward-server migrate",
  ],
  "apps/server/test/start.test.ts starts servers, and this one needs a PostgreSQL at db.example": [
    "DATABASE_URL='postgres://siteward:secret@db.example:5432/siteward?sslmode=verify-full' siteward-server start --bootstrap",
  ],
  "it installs into a folder of the system, and packages/e2e/test/from-a-clone.test.ts installs the same tarballs": [
    "npm install --prefix /opt/siteward ./tarballs/siteward-contract.tgz ./tarballs/siteward-server.tgz",
  ],
  "it sets the PATH of a shell, and downloads Node and pnpm": [
    `export PATH="$(npx -y -p node@24 -p pnpm@10 sh -c 'echo $PATH')"`,
  ],
  "it runs this test, or builds what this test runs": [
    "pnpm test",
    "pnpm test websites",
    "pnpm build",
    "npx -y -p node@24 -p pnpm@10 pnpm test",
    "npx -y -p node@24 -p pnpm@10 pnpm build",
  ],
  "it runs until Ctrl-C, prompts, or changes the repository": [
    "pnpm start",
    "pnpm dev",
    "pnpm tarballs",
    "pnpm generate",
    "pnpm changeset",
    "pnpm format",
  ],
  "it checks the repository for minutes, and CI runs it": ["pnpm check", "pnpm check:walls", "pnpm test:runtimes"],
};
