import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AccountRows } from "@siteward/testing/engines/account-rows";
import { createDatabase } from "@siteward/testing/engines/create-database";
import { engineNames } from "@siteward/testing/engines/database";
import { operate } from "@siteward/testing/servers/operate";
import { expect, test } from "vitest";
import { report, rounds } from "./support/attack.ts";
import { openRawConnection, type RawAnswer } from "./support/client/raw-connection.ts";
import { readMember } from "./support/client/read-member.ts";
import { type RequestParts, writeRequest } from "./support/client/write-request.ts";
import { withFaults, withoutReach } from "./support/secrets/break-database.ts";
import { createLineBreakers, judgeLines } from "./support/secrets/log-lines.ts";
import { backUp, examineWithSecrets, readStoredFiles, startCaptured } from "./support/secrets/outputs.ts";
import { listPlaces } from "./support/secrets/places.ts";
import { Planted } from "./support/secrets/planted.ts";

/** Each must be an answer, or too little was tested. */
const forcedCodes = [
  ...["malformed_request", "unauthenticated", "insufficient_scope", "website_limit_reached", "not_found"],
  ...["method_not_allowed", "domain_taken", "body_too_large", "unsupported_media_type", "validation_failed"],
  ...["internal", "unavailable"],
];

test.for(engineNames)(
  "no key, password, hash, header or body is in plain text in the log, the output, another answer, the metrics, the trail or the " +
    "database, on %s",
  async (engine) => {
    await using stack = new AsyncDisposableStack();
    const folder = await mkdtemp(join(tmpdir(), "siteward-secrets-"));
    stack.defer(() => rm(folder, { recursive: true, force: true }));
    const database = stack.use(await createDatabase(engine, { isMigrated: true }));
    const rows = new AccountRows(database);
    const account = rows.addAccount();
    const keys = {
      apiKey: rows.addApiKey(account),
      readingKey: rows.addApiKey(account, { scopes: ["websites:read"] }),
      fullKey: rows.addApiKey(rows.addAccount({ websiteLimit: 0 })),
    };
    await rows.written();
    const { server, readLog, readOutput, readMetrics } = await startCaptured(database, folder);
    stack.use(server);
    const planted = new Planted();
    const codes = new Set<unknown>();

    const send = async (bytes: string | Uint8Array): Promise<RawAnswer | undefined> => {
      using connection = openRawConnection(server.port);
      const answer = await connection.send(bytes).catch(() => undefined);
      codes.add(readMember(answer?.json, "code"));
      return answer;
    };
    const plant = async (parts: RequestParts | string, mayEcho = false) => {
      const text = planted.fill(typeof parts === "string" ? parts : JSON.stringify(parts));
      const answer = await send(typeof parts === "string" ? text : writeRequest(JSON.parse(text)));
      const answered = Buffer.from(JSON.stringify([...(answer?.headers ?? []), answer?.text]));
      if (!mayEcho) expect(planted.findIn(answered), answered.toString()).toEqual([]);
    };
    const website = { path: "/api/v1/websites", apiKey: keys.apiKey, headers: { "content-type": "application/json" } };
    const createProtected = () => {
      const body = `{"domain":"failed-${planted.count}.example.com","privacy":2,"password":"{secret}"}`;
      return plant({ ...website, method: "POST", body });
    };
    const sendSome = async () => {
      const reads = Array.from({ length: 4 }, () => send(writeRequest({ ...website, method: "GET" })));
      await Promise.all([...reads, ...Array.from({ length: 8 }, createProtected)]);
    };

    for (let round = 0; round < rounds(1); round += 1) {
      const { silent, echoed } = listPlaces(keys, round);
      for (const place of silent) await plant(place);
      for (const place of echoed) await plant(place, true);
      await send(writeRequest({ ...website, method: "PUT", path: `${website.path}/1`, body: '{"privacy":0}' }));
      for (const bytes of createLineBreakers(keys.apiKey)) await send(bytes);
    }
    await withFaults(database, sendSome);
    for (let tries = 0; tries < 20 && !codes.has("unavailable"); tries += 1) await withoutReach(database, sendSome);
    expect([...codes]).toEqual(expect.arrayContaining(forcedCodes));

    const entries = await database.query("select * from audit_entries");
    const outcomes = await database.query("select * from idempotency_keys");
    expect(JSON.stringify(entries)).toMatch(/password\W+set[\s\S]*password\W+cleared/);
    expect(outcomes).not.toEqual([]);
    const operated = [
      await operate(database.url, ["accounts", "list"]),
      await operate(database.url, ["keys", "list"]),
      await operate(database.url, ["audit", "--account", "1", "--limit", "10000"]),
    ];
    const doctor = await examineWithSecrets(database, planted);
    const backups = await backUp(database, folder, planted);
    const metrics = await readMetrics();
    expect(metrics.toString()).toContain("http_server_request_duration_seconds_count{");
    // The server is killed while a request is in progress.
    const last = createProtected();
    await server.kill();
    await last;

    const log = await readLog();
    const records = Buffer.from(JSON.stringify([entries, outcomes]));
    const written = Object.entries({ log, output: await readOutput(), doctor, ...backups, metrics, records });
    written.push(["the JSON of a command", Buffer.from(JSON.stringify(operated))]);
    for await (const file of readStoredFiles(database)) written.push(file);
    for (const [name, bytes] of written) {
      expect(planted.findIn(bytes), name).toEqual([]);
      expect(
        Object.values(keys).filter((key) => bytes.includes(key)),
        name,
      ).toEqual([]);
    }
    expect(log.toString() + records).not.toContain("$argon2");
    expect(judgeLines(log.toString())).toEqual([]);
    report({ secrets: planted.count, "error codes": codes.size - 1, "log bytes": log.length });
  },
);
