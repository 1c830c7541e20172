import { Siteward } from "@siteward/sdk";
import { expect, test } from "vitest";
import { type Outcome, startHostileServer, toOutcome } from "./support/hostile/attack.ts";
import { attacks } from "./support/hostile/attacks.ts";
import { operations } from "./support/hostile/operations.ts";

/** Long enough for an answer on a busy machine. */
const patientMs = 60_000;
const impatientMs = 200;

// What a caller does about an error, such as a retry, does not depend on the operation: packages/sdk/test.
test.concurrent.each(Object.entries(attacks))(
  "a server that %s: every call ends in time, with the documented error",
  async (_name, attack) => {
    const { outcomes, exceptions = {} } = attack;
    await using server = await startHostileServer(attack);
    const timeoutMs = outcomes.includes("timeout") ? impatientMs : patientMs;
    const siteward = new Siteward({
      apiKey: "swk_wrong0000000000000000000000000000iZPib",
      baseUrl: server.url,
      timeoutMs,
      maxRetries: 1,
    });
    const endings = Object.entries(operations).map(async ([operation, call]) => {
      const outcome = await Promise.resolve(call(siteward)).then((): Outcome => "result", toOutcome);
      expect(exceptions[operation] ?? outcomes, operation).toContain(outcome);
    });
    await Promise.all(endings);
  },
);
