import type { ApiKeyRing } from "./auth/api-key-ring.ts";
import type { PasswordLine } from "./auth/password-line.ts";
import type { Config } from "./config.ts";
import type { Log } from "./log.ts";
import type { Storage } from "./storage/storage.ts";

/** What the application is given by its edge: it opens no database, reads no environment and starts no clock itself. */
export interface Dependencies {
  readonly config: Pick<Config, "publicUrl" | "trustProxy" | "validateResponses">;
  readonly storage: Storage;
  readonly apiKeys: ApiKeyRing;
  readonly passwords: PasswordLine;
  readonly log: Pick<Log, "logger" | "answered">;
}
