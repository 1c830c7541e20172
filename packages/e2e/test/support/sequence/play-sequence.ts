import type { Service } from "../service/service.ts";
import { type CanonicalAnswer, CanonicalAnswers } from "./canonical-answer.ts";
import { Difference } from "./difference.ts";
import type { PassingTime, PlannedRequest, Sequence, Step } from "./sequence.ts";
import { Side } from "./side.ts";

/**
 * Sends a sequence to two services, each request at the same time.
 *
 * @returns how many requests were answered, all of them in the same way
 * @throws Difference
 */
export async function playSequence(services: readonly [Service, Service], sequence: Sequence): Promise<number> {
  const [one, other] = [new Player(services[0], sequence), new Player(services[1], sequence)];
  const sent: PlannedRequest[] = [];
  for (const step of [...creates(sequence), ...sequence.steps, ...finalRequests]) {
    if ("advanceMs" in step) {
      for (const player of [one, other]) player.side.account.advanceClock(step.advanceMs);
      continue;
    }
    const request = toRequest(step, sent);
    const [answer, otherAnswer] = await Promise.all([one.send(request), other.send(request)]);
    if (write(answer) !== write(otherAnswer)) {
      throw new Difference(request, sent.length, { [services[0].name]: answer, [services[1].name]: otherAnswer });
    }
    sent.push(request);
  }
  return sent.length;
}

class Player {
  readonly side: Side;
  readonly #answers: CanonicalAnswers;

  constructor(service: Service, sequence: Sequence) {
    this.side = new Side(service, sequence);
    this.#answers = new CanonicalAnswers(this.side);
  }

  async send(request: PlannedRequest): Promise<CanonicalAnswer> {
    return this.#answers.from(await this.side.send(request));
  }
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

function toRequest(step: Exclude<Step, PassingTime>, sent: readonly PlannedRequest[]): PlannedRequest {
  if (!("repeat" in step)) return step;
  return sent.at(-1 - (step.repeat % Math.max(1, sent.length))) ?? readAccount;
}

function write({ status, headers, body }: CanonicalAnswer): string {
  return JSON.stringify([status, Object.entries(headers).toSorted(), body]);
}
