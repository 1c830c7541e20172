import { servedContract } from "@siteward/service";
import { createExpressEndpoints, initServer } from "@ts-rest/express";
import type { Express } from "express";
import type { Dependencies } from "../dependencies.ts";
import { createAdmit } from "./admit.ts";
import { createWebsite } from "./create-website.ts";
import { deleteWebsite } from "./delete-website.ts";
import { getAccount } from "./get-account.ts";
import { getWebsite } from "./get-website.ts";
import { listWebsites } from "./list-websites.ts";
import { mountPaths } from "./mount-paths.ts";
import { refuseInvalid } from "./refuse-invalid.ts";
import { updateWebsite } from "./update-website.ts";

/** Mounts a handler for every route of the contract. If a route has no handler, this does not compile. */
export function mountRoutes(app: Express, dependencies: Dependencies): void {
  const router = initServer().router(servedContract, {
    websites: {
      list: listWebsites(dependencies),
      get: getWebsite(dependencies),
      create: createWebsite(dependencies),
      update: updateWebsite(dependencies),
      delete: deleteWebsite(dependencies),
    },
    account: { get: getAccount(dependencies) },
  });
  mountPaths(app, (collector) =>
    createExpressEndpoints(servedContract, router, collector, {
      logInitialization: false,
      responseValidation: dependencies.config.validateResponses,
      globalMiddleware: [createAdmit()],
      requestValidationErrorHandler: refuseInvalid,
    }),
  );
}
