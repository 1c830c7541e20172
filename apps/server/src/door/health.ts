import { AppError, isRefusedFor } from "@siteward/service";
import { Router } from "express";
import type { Storage } from "../storage/interface/storage.ts";
import { methodNotAllowed } from "./send.ts";

/** The paths that monitoring reads. No admission is before them, so they are answered however busy the process is. */
const paths = { alive: "/healthz", ready: "/readyz" };

/**
 * Reports to monitoring whether the process is alive (`/healthz`) and whether the database answers the queries of
 * requests and accepts changes (`/readyz`).
 */
export function health(storage: Storage): Router {
  const router = Router({ caseSensitive: true });
  router.get(paths.alive, (_request, response) => {
    response.json({ status: "ok" });
  });
  router.get(paths.ready, async (_request, response) => {
    await storage.ping().catch((cause: unknown) => {
      // A failure that says what the operator must do is named.
      if (cause instanceof AppError && !isRefusedFor(cause, "database", "full_queue")) throw cause;
      const facts = { retryAfterS: 1 };
      throw new AppError("unavailable", "The database does not answer queries.", { facts, cause });
    });
    response.json({ status: "ready" });
  });
  router.all(Object.values(paths), methodNotAllowed(["GET"]));
  return router;
}
