import { AppError, isRefusedFor } from "@siteward/service";
import { Router } from "express";
import type { Storage } from "../../storage/interface/storage.ts";
import { healthPaths } from "../admission/progress.ts";
import { methodNotAllowed } from "../http/method-not-allowed.ts";
import { sendJson } from "../http/send.ts";

/**
 * Reports to monitoring whether the process is alive (`/healthz`) and whether the database answers the queries of
 * requests and accepts changes (`/readyz`).
 */
export function health(storage: Storage): Router {
  const router = Router({ caseSensitive: true });
  router.get(healthPaths.alive, (_request, response) => {
    sendJson(response, 200, { status: "ok" });
  });
  router.get(healthPaths.ready, async (_request, response) => {
    await storage.ping().catch((cause: unknown) => {
      throw toError(cause);
    });
    sendJson(response, 200, { status: "ready" });
  });
  router.all(Object.values(healthPaths), methodNotAllowed(["GET"]));
  return router;
}

/** A failure that says what the operator must do is named. */
function toError(cause: unknown): AppError {
  if (cause instanceof AppError && !isRefusedFor(cause, "database", "full_queue")) return cause;
  return new AppError("unavailable", "The database does not answer queries.", {
    facts: { retryAfterS: 1 },
    cause,
  });
}
