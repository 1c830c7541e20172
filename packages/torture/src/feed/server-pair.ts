import type { Database } from "../engines/database.ts";
import type { Attack } from "../row.ts";
import type { TargetServer } from "../servers/target-server.ts";
import { chooseWrongClock } from "./wrong-clock.ts";

/** Two servers on one database, each with a clock that is wrong in its own way. */
export class ServerPair {
  readonly #attack: Attack;
  readonly #database: Database;
  readonly #servers: TargetServer[] = [];

  private constructor(attack: Attack, database: Database) {
    this.#attack = attack;
    this.#database = database;
  }

  static async start(attack: Attack, database: Database): Promise<ServerPair> {
    const pair = new ServerPair(attack, database);
    pair.#servers.push(await pair.#start(), await pair.#start());
    return pair;
  }

  get servers(): readonly TargetServer[] {
    return this.#servers;
  }

  /** Kills a server with kill -9. */
  async killOne(): Promise<void> {
    await this.#attack.random.pick(this.#servers).kill();
  }

  /** Starts another server, whose clock is wrong by another time, in place of each that was killed. */
  async restore(): Promise<void> {
    for (const [index, server] of this.#servers.entries()) {
      if (server.hasEnded()) this.#servers[index] = await this.#start();
    }
  }

  /** Sends each request to any of the servers, as a load balancer without health checks does. */
  readonly fetch = (url: string, init: RequestInit): Promise<Response> => {
    const { pathname, search } = new URL(url);
    return fetch(`${this.#attack.random.pick(this.#servers).url}${pathname}${search}`, init);
  };

  #start(): Promise<TargetServer> {
    return this.#attack.start(this.#database, { settings: chooseWrongClock(this.#attack.random) });
  }
}
