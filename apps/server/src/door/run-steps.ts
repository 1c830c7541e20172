import type { Exchange } from "./exchange.ts";

/**
 * Something that happens to every request. It throws to refuse the request, and returns a promise only if it must wait.
 */
export type Step = (exchange: Exchange) => void | Promise<void>;

/**
 * Runs steps in order. Express is the last: it passes a request whose target is no URL to no layer, not even to one
 * that handles errors, and spends more time on finding the next layer than most steps take.
 *
 * @param refuse answers a request that a step refuses
 */
export function runSteps(refuse: (error: unknown, exchange: Exchange) => void, ...steps: readonly Step[]) {
  const run = inOrder(...steps);
  return (exchange: Exchange): void => {
    const fail = (error: unknown) => refuse(error, exchange);
    try {
      run(exchange)?.catch(fail);
    } catch (error) {
      fail(error);
    }
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
