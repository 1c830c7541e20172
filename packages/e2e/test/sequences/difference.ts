import type { CanonicalAnswer } from "./canonical-answer.ts";
import type { PlannedRequest } from "./sequence.ts";

interface Found {
  /** How many steps of the sequence came before the request. */
  readonly index: number;
  readonly answers: Readonly<Record<string, CanonicalAnswer>>;
  /** How the tested service breaks the rules of all answers. */
  readonly faults: readonly string[];
}

/** Two services answered a request differently, or one of them in a way that the contract does not declare. */
export class Difference extends Error {
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
