import type { CanonicalAnswer } from "./canonical-answer.ts";
import type { PlannedRequest } from "./sequence.ts";

/** Two services answered a request differently. */
export class Difference extends Error {
  override readonly name = "Difference";

  /** @param index how many requests of the sequence came before it */
  constructor(request: PlannedRequest, index: number, answers: Readonly<Record<string, CanonicalAnswer>>) {
    const described = Object.entries(answers).map(([name, answer]) => `${name} answered ${describe(answer)}`);
    const { method, path, key, headers, body } = request;
    const said = JSON.stringify({ key, headers, body: body?.slice(0, maxLength) });
    super([`Request ${index + 1} of the sequence, ${method} ${path} ${said}:`, ...described].join("\n"));
  }
}

const maxLength = 4_000;

function describe({ status, headers, body }: CanonicalAnswer): string {
  const lines = Object.entries(headers)
    .toSorted()
    .map(([name, value]) => `    ${name}: ${value}`);
  return [status, ...lines, `    ${body.slice(0, maxLength)}`].join("\n");
}
