import { readResidentBytes } from "@siteward/testing/process-tree";
import { floodWithBadKeys } from "../bad-keys/flood-with-bad-keys.ts";
import { hasRisen, probeFor, startProbe } from "../client/probe.ts";
import type { Row } from "../row.ts";
import { toMegabytes } from "../servers/watch-memory.ts";

/** Floods the server with invalid API keys, behind a proxy that reports 10,000 addresses, of which 10 send half of them. */
export const badKeys = {
  promise:
    "A flood of invalid keys is limited by address, takes at most 64 MB, and does not refuse or delay a valid key.",
  engines: ["sqlite", "postgres"],
  needs: ["linux"],
  rounds: { unit: "keys", default: 100_000, short: 6_000 },
  async run(attack) {
    const database = await attack.createDatabase();
    const account = await attack.createAccount(database);
    await using server = await attack.start(database, {
      settings: {
        SITEWARD_TRUST_PROXY: "loopback",
        // The sabotage: nothing is limited.
        SITEWARD_FAILED_AUTH_LIMIT: attack.isSabotaged ? "0" : String(limit),
      },
    });
    const options = { port: server.port, random: attack.random, limit };
    const read = { path: "/api/v1/account", apiKey: account.apiKey, pauseMs: 2 };
    const quiet = await probeFor(quietMs, server.url, read);
    // The first keys warm the process up.
    const first = await floodWithBadKeys({ ...options, count: Math.ceil(attack.rounds / 4) });
    const beforeBytes = readResidentBytes(server.processId);
    const probe = startProbe(server.url, read);
    const rest = await floodWithBadKeys({ ...options, count: Math.floor((attack.rounds * 3) / 4) });
    const during = await probe.stop();
    const growthBytes = readResidentBytes(server.processId) - beforeBytes;
    const violations = [...first.breaches, ...rest.breaches];
    if (during.failed > 0) violations.push(`${during.failed} of ${during.count} requests with a valid key failed.`);
    if (hasRisen(during.p99Ms, quiet.p99Ms)) violations.push(`A valid key waited ${during.p99Ms.toFixed(1)} ms (p99).`);
    if (growthBytes > maxGrowthBytes) violations.push(`The server grew by ${toMegabytes(growthBytes)} MB.`);
    if (server.hasEnded()) violations.push(`The server ended: ${server.log().slice(-500)}`);
    const figures = {
      keys: attack.rounds,
      "refused by key": first.refusedByKey + rest.refusedByKey,
      "refused by address": first.refusedByAddress + rest.refusedByAddress,
      memory: `${toMegabytes(beforeBytes)} → ${toMegabytes(beforeBytes + growthBytes)} MB`,
      "valid key's p99": `${quiet.p99Ms.toFixed(1)} → ${during.p99Ms.toFixed(1)} ms`,
    };
    return { figures, violations };
  },
} as const satisfies Row;

/** Invalid keys per minute from an address. It is low, so that a short run passes it. */
const limit = 60;
const quietMs = 1_500;
/** The heap of a busy process varies by up to 40 MB. */
const maxGrowthBytes = 64e6;
