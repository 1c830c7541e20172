import type { Exchange } from "./exchange.ts";

/**
 * Something that happens to every request. It throws to refuse the request, and returns a promise only if it must wait.
 */
export type Step = (exchange: Exchange) => void | Promise<void>;

/** What becomes of a request. */
interface Ends {
  /** Answers a request that every step accepts. */
  answer(exchange: Exchange): void;
  /** Answers a request that a step refuses. */
  refuse(error: unknown, exchange: Exchange): void;
}

/**
 * Runs steps in order, before Express sees the request: it passes none with a target that is no URL to any layer, not even to one
 * that handles errors, and spends more time on finding the next layer than most steps take.
 */
export function runSteps({ answer, refuse }: Ends, ...steps: readonly Step[]): (exchange: Exchange) => void {
  const run = inOrder(...steps);
  return (exchange) => {
    const fail = (error: unknown) => refuse(error, exchange);
    try {
      const waiting = run(exchange);
      if (waiting !== undefined) return void waiting.then(() => answer(exchange), fail);
    } catch (error) {
      return fail(error);
    }
    return answer(exchange);
  };
}

export function inOrder(...steps: readonly Step[]): Step {
  return (exchange) => {
    for (let index = 0; index < steps.length; index += 1) {
      const waiting = steps[index]?.(exchange);
      if (waiting !== undefined) return waiting.then(() => inOrder(...steps.slice(index + 1))(exchange));
    }
    return undefined;
  };
}
