import type { NextFunction, Request, RequestHandler, Response } from "express";

/**
 * Runs handlers in order as one layer of Express. Express spends more time on finding the next layer than most of them
 * take.
 */
export function combineHandlers(...handlers: readonly RequestHandler[]): RequestHandler {
  return (request, response, next) => runFrom(0, { handlers, request, response, next });
}

interface Run {
  readonly handlers: readonly RequestHandler[];
  readonly request: Request;
  readonly response: Response;
  readonly next: NextFunction;
}

/** Express only notices a rejected promise if the handler returns it, so the promise of a later handler is passed on. */
function runFrom(index: number, run: Run): ReturnType<RequestHandler> {
  const handler = run.handlers[index];
  if (handler === undefined) {
    run.next();
    return;
  }
  return handler(run.request, run.response, (error?: unknown) => {
    if (error !== undefined) {
      run.next(error);
      return;
    }
    const later: unknown = runFrom(index + 1, run);
    if (later instanceof Promise) later.catch(run.next);
  });
}
