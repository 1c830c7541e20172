import type { Row } from "../row.ts";
import { compareServices } from "../sequences/compare-services.ts";
import { openFakeService } from "../services/fake-service.ts";
import { type ServerService, startServerService } from "../services/server-service.ts";
import type { Service } from "../services/service.ts";

/** Sends random sequences of requests, built from the contract, to the built server and to the service in memory. */
export const sequences = {
  promise:
    "Every sequence of requests, valid or not, gets the answers that the contract declares, " +
    "and the same as from the service in memory.",
  engines: ["sqlite", "postgres"],
  rounds: { unit: "sequences", default: 5_000, short: 500 },
  async run(attack) {
    await using server = await startServerService(attack);
    await using model = openFakeService();
    const tested = attack.isSabotaged ? changeRecords(server) : server;
    const [replayedSeed, path] = process.env["SITEWARD_TEST_REPLAY"]?.split("/") ?? [];
    const found = { requests: 0, refused: 0 };
    const startedAtMs = performance.now();
    const violations = await findDifference([tested, model], {
      sequences: attack.rounds,
      seed: replayedSeed ? Number(replayedSeed) : attack.random.integer(0, 2 ** 31 - 1),
      path,
      // What the sabotage changes is found, and need not be understood.
      maxShrinkMs: attack.isSabotaged ? 0 : undefined,
      onAnswers(answers) {
        found.requests += answers.length;
        found.refused += answers.filter(({ status }) => status >= 400).length;
      },
    });
    const seconds = (performance.now() - startedAtMs) / 1000;
    violations.push(...(await server.database.findDamage()));
    if (server.server.hasEnded()) violations.push(`The server ended: ${server.server.log().slice(-500)}`);
    return {
      figures: {
        sequences: attack.rounds,
        ...found,
        "per second": Math.round(found.requests / seconds),
      },
      violations,
    };
  },
} as const satisfies Row;

async function findDifference(...chosen: Parameters<typeof compareServices>): Promise<string[]> {
  try {
    await compareServices(...chosen);
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

/** The sabotage: records change without a request, before each list. */
function changeRecords(service: ServerService): Service {
  return {
    ...service,
    createAccount(options) {
      const account = service.createAccount(options);
      return {
        ...account,
        async fetch(input, init) {
          if (String(input).includes("?")) await service.database.query("update websites set email = 1 - email");
          return await account.fetch(input, init);
        },
      };
    },
  };
}
