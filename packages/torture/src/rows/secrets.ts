import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { openRawConnection, type RawAnswer } from "../client/raw-connection.ts";
import { writeRequest } from "../client/write-request.ts";
import { AccountRows } from "../engines/account-rows.ts";
import type { Database } from "../engines/database.ts";
import type { Attack, Row } from "../row.ts";
import { writeBackups } from "../secrets/backup-outputs.ts";
import { openBreakage } from "../secrets/break-database.ts";
import { createLineBreakers, judgeLines } from "../secrets/break-lines.ts";
import { startCaptured } from "../secrets/captured-server.ts";
import { examineWithSecrets } from "../secrets/examine.ts";
import { createPlanted, type Planted } from "../secrets/planted.ts";
import { createPlants, type Plant } from "../secrets/plants.ts";
import { readStoredFiles } from "../secrets/stored-files.ts";
import { readStoredRecords } from "../secrets/stored-records.ts";

/** Sends secrets in every place, forces every error, kills the server, and searches everything that it wrote. */
export const secrets = {
  promise:
    "No key, password, hash, header or body appears in plain text in the log, the output, another answer, " +
    "the metrics, the audit trail or the database.",
  engines: ["sqlite", "postgres"],
  needs: ["linux"],
  rounds: { unit: "rounds of all places", default: 10, short: 1 },
  run: plantAndSearch,
} as const satisfies Row;

interface State {
  readonly attack: Attack;
  readonly database: Database;
  readonly planted: Planted;
  readonly port: number;
  readonly keys: Readonly<Record<"apiKey" | "readingKey" | "fullKey", string>>;
  readonly codes: Set<string>;
  readonly violations: string[];
}

async function plantAndSearch(attack: Attack) {
  const folder = await attack.createFolder();
  const database = await attack.createDatabase();
  const keys = await createKeys(attack, database);
  const { server, readLog, readOutput, readMetrics } = await startCaptured(attack, database, folder);
  const planted = createPlanted();
  const state: State = { attack, database, planted, port: server.port, keys, codes: new Set(), violations: [] };
  for (let round = 0; round < attack.rounds; round += 1) await plantAll(state, round);
  if (!attack.isSabotaged) await forceFailures(state);
  const records = await readStoredRecords(database);
  const operated = [
    await attack.operate(database, "accounts", "list"),
    await attack.operate(database, "keys", "list"),
    await attack.operate(database, "audit", "--account", "1", "--limit", "10000"),
  ];
  const examined = await examineWithSecrets(attack, database, planted);
  const backups = await writeBackups(attack, database, { folder, planted });
  const metrics = await readMetrics();
  if (!metrics.includes("http_server_request_duration_seconds_count{")) {
    state.violations.push("The metrics do not count the requests that were sent.");
  }
  // The server is killed while requests are in progress.
  const last = sendPlant(state, protectedCreate(state, "the last one")).catch(() => {});
  await server.kill();
  await last;
  // The sabotage: a secret in the log.
  if (attack.isSabotaged) await appendFile(join(folder, "server.err"), `{"msg":"${planted.text("sabotage")}"}\n`);
  const log = await readLog();
  const outputs = {
    log,
    output: await readOutput(),
    "the output of doctor": examined,
    "the output of a backup or a restore": backups.printed,
    "a backup or a restored database": backups.files,
    "a scrape of the metrics": metrics,
    "the JSON of a command": Buffer.from(JSON.stringify(operated)),
    "the audit trail or the outcome of a request": Buffer.from(records.text),
  };
  for (const [name, bytes] of Object.entries(outputs)) search(state, name, bytes);
  if (log.includes("$argon2")) state.violations.push("The log contains the hash of a password.");
  if (records.text.includes("$argon2")) state.violations.push("A stored record contains the hash of a password.");
  if (!attack.isSabotaged) state.violations.push(...records.missing);
  for await (const { path, bytes } of readStoredFiles(database)) search(state, path, bytes);
  state.violations.push(...judgeLines(log.toString()), ...(attack.isSabotaged ? [] : findUnforced(state.codes)));
  const figures = { secrets: planted.count(), "error codes": state.codes.size, "log bytes": log.length };
  return { figures, violations: state.violations };
}

async function createKeys(attack: Attack, database: Database): Promise<State["keys"]> {
  await attack.operate(database, "migrate");
  const rows = new AccountRows(database, attack.random);
  const account = rows.addAccount();
  const [apiKey, readingKey] = [rows.addApiKey(account), rows.addApiKey(account, { scopes: ["websites:read"] })];
  const fullKey = rows.addApiKey(rows.addAccount({ websiteLimit: 0 }));
  await rows.written();
  return { apiKey, readingKey, fullKey };
}

async function plantAll(state: State, round: number): Promise<void> {
  const { planted, keys } = state;
  for (const plant of createPlants({ ...keys, planted, round })) await sendPlant(state, plant);
  const { apiKey } = keys;
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ privacy: 0 });
  await send(state, writeRequest({ method: "PUT", path: "/api/v1/websites/1", apiKey, headers, body }));
  for (const bytes of createLineBreakers(apiKey)) await send(state, bytes);
}

async function sendPlant(state: State, { place, bytes, mayEcho }: Plant): Promise<void> {
  const answer = await send(state, bytes);
  if (answer === undefined || mayEcho) return;
  const text = JSON.stringify([...answer.headers, answer.text]);
  if (state.planted.findIn(Buffer.from(text)).length > 0) {
    state.violations.push(`The answer to ${place} contains the secret: ${answer.status} ${answer.text}`);
  }
}

/** Undefined if the connection was closed without an answer. */
async function send({ port, codes }: State, bytes: string | Uint8Array): Promise<RawAnswer | undefined> {
  using connection = openRawConnection(port);
  const answer = await connection.send(bytes).catch(() => undefined);
  const { json } = answer ?? {};
  if (typeof json === "object" && json !== null && "code" in json) codes.add(String(json.code));
  return answer;
}

async function forceFailures(state: State): Promise<void> {
  const breakage = openBreakage(state.database);
  const sendSome = async () => {
    const { apiKey } = state.keys;
    const reads = Array.from({ length: 4 }, () =>
      send(state, writeRequest({ method: "GET", path: "/api/v1/websites", apiKey })),
    );
    const writes = Array.from({ length: 8 }, () =>
      sendPlant(state, protectedCreate(state, "a password of a failed create")),
    );
    await Promise.all([...reads, ...writes]);
  };
  await breakage.withFault(sendSome);
  for (let tries = 0; tries < 20 && !state.codes.has("unavailable"); tries += 1) await breakage.withoutReach(sendSome);
}

function protectedCreate({ planted, keys: { apiKey } }: State, place: string): Plant {
  const password = planted.text(place);
  const body = JSON.stringify({ domain: `failed-${planted.count()}.example.com`, privacy: 2, password });
  const headers = { "content-type": "application/json" };
  return {
    place,
    mayEcho: false,
    bytes: writeRequest({ method: "POST", path: "/api/v1/websites", apiKey, headers, body }),
  };
}

function search({ planted, keys, violations }: State, name: string, bytes: Buffer): void {
  const places = planted.findIn(bytes);
  const held = Object.values(keys).filter((key) => bytes.includes(key));
  if (places.length > 0) violations.push(`${name} contains ${places.join(", ")}.`);
  if (held.length > 0) violations.push(`${name} contains ${held.length} valid keys.`);
}

const forced = [
  ...[
    "malformed_request",
    "unauthenticated",
    "insufficient_scope",
    "website_limit_reached",
    "not_found",
    "method_not_allowed",
  ],
  ...["domain_taken", "body_too_large", "unsupported_media_type", "validation_failed", "internal", "unavailable"],
] as const;

function findUnforced(codes: ReadonlySet<string>): string[] {
  return forced
    .filter((code) => !codes.has(code))
    .map((code) => `No request was answered with ${code}, so the row did not test enough.`);
}
