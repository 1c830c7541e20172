import type { Service } from "@siteward/testing/services/service";
import { type CanonicalAnswer, CanonicalAnswers } from "./canonical-answer.ts";
import { judgeAnswer } from "./judge-answer.ts";
import { keyNames, keys, type PlannedRequest, type Sequence, type Step } from "./sequence.ts";
import { type ReceivedAnswer, Side } from "./side.ts";

/** Two services: the one that is tested, and the one that says what is right. */
export type Services = readonly [tested: Service, model: Service];

/**
 * Sends sequences to two services, each with an account of its own. All of them and both services get their next request at the
 * same time.
 *
 * @returns the answers of the tested service, all of them declared by the contract and equal to those of the model
 * @throws Difference
 */
export async function playSequences(
  services: Services,
  sequences: readonly Sequence[],
): Promise<readonly ReceivedAnswer[]> {
  const [tested, models] = [openPlayers(services[0], sequences), openPlayers(services[1], sequences)];
  const plans = sequences.map(plan);
  const received: ReceivedAnswer[] = [];
  for (let round = 0; plans.some(({ length }) => length > round); round += 1) {
    const steps = plans.map((steps) => steps[round]);
    for (const step of steps) if (step !== undefined && "advanceMs" in step) advanceClocks(services, step.advanceMs);
    const compared = steps.map(async (step, index) => {
      const [one, other] = [tested[index], models[index]];
      if (step === undefined || "advanceMs" in step || one === undefined || other === undefined) return [];
      return [await compareAnswers(step, { round, services }, [one, other])];
    });
    received.push(...takeAnswers(await Promise.allSettled(compared)).flat());
  }
  return received;
}

interface Compared {
  readonly round: number;
  readonly services: Services;
}

async function compareAnswers(
  request: PlannedRequest,
  { round, services }: Compared,
  [tested, model]: readonly [Player, Player],
): Promise<ReceivedAnswer> {
  const [one, other] = await Promise.all([tested.send(request), model.send(request)]);
  const faults = judgeAnswer(one.received);
  if (faults.length > 0 || write(one.answer) !== write(other.answer)) {
    const answers = { [services[0].name]: one.answer, [services[1].name]: other.answer };
    throw new Difference(request, { index: round, answers, faults });
  }
  return one.received;
}

/** Of several differences, the first account's is thrown, so that the same sequences throw the same one. */
function takeAnswers<Answer>(settled: readonly PromiseSettledResult<Answer>[]): Answer[] {
  return settled.map((result) => {
    if (result.status === "rejected") throw result.reason;
    return result.value;
  });
}

function advanceClocks(services: Services, byMs: number): void {
  for (const service of services) service.advanceClock(byMs);
}

interface Player {
  send(request: PlannedRequest): Promise<{ readonly received: ReceivedAnswer; readonly answer: CanonicalAnswer }>;
}

function openPlayers(service: Service, sequences: readonly Sequence[]): readonly Player[] {
  return sequences.map(({ websiteLimit, rateLimit }) => {
    const account = service.createAccount({ websiteLimit });
    const apiKeys = keyNames.map((name) => account.createApiKey({ ...keys[name], rateLimit }));
    const side = new Side({ ...account, apiKeys }, service.nowMs());
    const answers = new CanonicalAnswers(side);
    return {
      async send(request) {
        const received = await side.send(request);
        return { received, answer: answers.from(received) };
      },
    };
  });
}

/** Every request of a sequence, in order, and the passing of time. */
function plan(sequence: Sequence): readonly Exclude<Step, { readonly repeat: number }>[] {
  const sent: PlannedRequest[] = [];
  return [...creates(sequence), ...sequence.steps, ...finalRequests].map((step) => {
    if ("advanceMs" in step) return step;
    const request = "repeat" in step ? (sent.at(-1 - (step.repeat % Math.max(1, sent.length))) ?? readAccount) : step;
    sent.push(request);
    return request;
  });
}

function creates({ websiteCount }: Sequence): PlannedRequest[] {
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  return Array.from({ length: websiteCount }, (_, index) => {
    // The order of the domains is not that of the IDs.
    const body = `domain=site-${(index * 7) % 31}.example`;
    return { method: "POST", path: "/api/v1/websites", key: "all", headers, body };
  });
}

const readAccount: PlannedRequest = { method: "GET", path: "/api/v1/account", key: "all", headers: {} };

/** They show the state at the end. */
const finalRequests: readonly PlannedRequest[] = [
  { method: "GET", path: "/api/v1/websites?per_page=100&sort=asc", key: "all", headers: {} },
  readAccount,
];

function write({ status, headers, body }: CanonicalAnswer): string {
  return JSON.stringify([status, Object.entries(headers).toSorted(), body]);
}

interface Found {
  /** How many steps of the sequence came before the request. */
  readonly index: number;
  readonly answers: Readonly<Record<string, CanonicalAnswer>>;
  /** How the tested service breaks the rules of all answers. */
  readonly faults: readonly string[];
}

/** Two services answered a request differently, or one of them in a way that the contract does not declare. */
class Difference extends Error {
  override readonly name = "Difference";

  constructor(request: PlannedRequest, { index, answers, faults }: Found) {
    const start = findDifference(Object.values(answers).map(({ body }) => body));
    const described = Object.entries(answers).map(([name, answer]) => `${name} answered ${describe(answer, start)}`);
    const { method, path, key, headers, body } = request;
    const said = JSON.stringify({ key, headers, body: body?.slice(0, maxLength) });
    super([`Step ${index + 1} of a sequence, ${method} ${path} ${said}:`, ...faults, ...described].join("\n"));
  }
}

const maxLength = 2_000;
/** How much of a body is shown before the difference. */
const lengthBefore = 200;

/** Returns where texts begin to differ. */
function findDifference([text = "", ...others]: readonly string[]): number {
  let index = 0;
  while (index < text.length && others.every((other) => other[index] === text[index])) index += 1;
  return index;
}

function describe({ status, headers, body }: CanonicalAnswer, differsAt: number): string {
  const lines = Object.entries(headers)
    .toSorted()
    .map(([name, value]) => `    ${name}: ${value}`);
  const start = Math.max(0, differsAt - lengthBefore);
  return [status, ...lines, `    ${start > 0 ? "…" : ""}${body.slice(start, start + maxLength)}`].join("\n");
}
