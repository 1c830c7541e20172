import { findServerBin } from "../built-server.ts";
import { createAttack } from "../create-attack.ts";
import type { EngineName } from "../engines/engine-name.ts";
import { engines } from "../engines/engines.ts";
import { startServerService } from "./server-service.ts";
import type { Service } from "./service.ts";

/** Starts the built server as a service, on an engine that ends with it. A named PostgreSQL is used as it is. */
export async function startBuiltService(engineName: EngineName): Promise<Service> {
  await using starting = new AsyncDisposableStack();
  const engine = starting.use(await engines[engineName](process.env["TEST_SITEWARD_POSTGRES_URL"]));
  const serverBin = findServerBin(process.env);
  const options = { engineName, engine, rounds: 1, seed: Date.now(), isSabotaged: false, serverBin };
  const service = starting.use(await startServerService(createAttack(options, starting)));
  const resources = starting.move();
  return { ...service, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}
