import type { RateLimits } from "@siteward/service";
import type { ApiKeyCache } from "./auth/api-key-cache.ts";
import type { FailedAuthentications } from "./auth/failed-authentications.ts";
import type { PasswordQueue } from "./auth/password-queue.ts";
import type { Config } from "./config.ts";
import type { RequestMeter } from "./door/admission/request-meter.ts";
import type { Log } from "./log.ts";
import type { Storage } from "./storage/interface/storage.ts";

/** What the application gets from its caller. It opens no database, reads no environment and starts no clock itself. */
export interface Dependencies {
  readonly config: Pick<Config, "publicUrl" | "rateLimit" | "trustProxy" | "validateResponses">;
  readonly storage: Storage;
  readonly apiKeys: ApiKeyCache;
  readonly failures: FailedAuthentications;
  readonly rateLimits: RateLimits;
  readonly passwords: PasswordQueue;
  readonly log: Pick<Log, "logger" | "answered">;
  /** Undefined if nothing is measured. */
  readonly meter?: RequestMeter | undefined;
}
