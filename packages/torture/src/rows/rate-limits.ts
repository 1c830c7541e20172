import { openRawConnection } from "../client/raw-connection.ts";
import { AccountRows } from "../engines/account-rows.ts";
import { hasSeenSabotage } from "../has-seen-sabotage.ts";
import { judgeFields, judgeJumps } from "../limits/judge-limit.ts";
import { LimitedKey } from "../limits/limited-key.ts";
import type { Row } from "../row.ts";
import { openClock } from "../services/open-clock.ts";

/** Uses up new keys over connections to two workers, whose clocks stand still until they advance or jump by hours. */
export const rateLimits = {
  promise:
    "With workers, a key gets its limit and no more, the headers are true, and a clock that jumps changes nothing.",
  engines: ["sqlite"],
  rounds: { unit: "keys", default: 200, short: 10 },
  async run(attack) {
    const database = await attack.createDatabase();
    await attack.operate(database, "migrate");
    using clock = openClock();
    await using server = await attack.start(database, { workers: 2, settings: clock.settings });
    const rows = new AccountRows(database, attack.random.fork("API keys"), clock.nowMs);
    const account = rows.addAccount();
    using opened = new DisposableStack();
    const connections = Array.from({ length: connectionCount }, () => opened.use(openRawConnection(server.port)));
    const violations: string[] = [];
    let [keys, requests] = [0, 0];
    for (; keys < attack.rounds && !hasSeenSabotage(attack, violations); keys += 1) {
      const limit = attack.random.pick(limits);
      // The sabotage: the key has no limit.
      const apiKey = rows.addApiKey(account, { rateLimit: attack.isSabotaged ? 0 : limit });
      await rows.written();
      const key = new LimitedKey(apiKey, limit, connections);
      const jumpMs = attack.random.integer(1, 24) * hourMs;
      const breaches = [...(await judgeFields(key, clock)), ...(await judgeJumps(key, clock, jumpMs))];
      violations.push(...breaches.map((breach) => `A key with a limit of ${limit}: ${breach}`));
      requests += key.sent;
    }
    if (server.hasEnded()) violations.push(`The server ended: ${server.log().slice(-500)}`);
    return { figures: { keys, requests, "jumps of the clock": keys * 2 }, violations };
  },
} as const satisfies Row;

/** The workers get connections in turn. */
const connectionCount = 8;
/** A request is due after a whole number of seconds, which the headers can say exactly. */
const limits = [3, 6, 12, 30, 60];
const hourMs = 3_600_000;
