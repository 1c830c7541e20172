import { describe, expect, it } from "vitest";
import { TurnTaking } from "./turn-taking.ts";

const unavailable = { code: "unavailable" };

describe("tasks that take turns", () => {
  it("run one at a time in the order of the calls, also after one that fails", async () => {
    const turns = new TurnTaking({ maxTasks: 10, maxWaitMs: 60_000 });
    const events: string[] = [];
    const task = (name: string) => async () => {
      events.push(`${name} starts`);
      await Promise.resolve();
      events.push(`${name} ends`);
      if (name === "a") throw new Error("No.");
    };
    const outcomes = await Promise.allSettled(["a", "b", "c"].map((name) => turns.take("key", task(name))));
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
    expect(events).toEqual(["a", "b", "c"].flatMap((name) => [`${name} starts`, `${name} ends`]));
  });

  it("do not wait for tasks of other keys", async () => {
    const turns = new TurnTaking({ maxTasks: 10, maxWaitMs: 60_000 });
    const blocked = Promise.withResolvers<void>();
    const waiting = turns.take("a", () => blocked.promise);
    expect(await turns.take("b", async () => "done")).toBe("done");
    blocked.resolve();
    await waiting;
  });

  it("are refused if too many wait, and others run later", async () => {
    const turns = new TurnTaking({ maxTasks: 2, maxWaitMs: 60_000 });
    const blocked = Promise.withResolvers<void>();
    const running = [turns.take("a", () => blocked.promise), turns.take("a", async () => undefined)];
    await expect(turns.take("a", async () => "third")).rejects.toMatchObject(unavailable);
    blocked.resolve();
    await Promise.all(running);
    expect(await turns.take("a", async () => "later")).toBe("later");
  });

  it("are all refused when their turn comes, and not run, if they waited for too long", async () => {
    const turns = new TurnTaking({ maxTasks: 10, maxWaitMs: -1 });
    const blocked = Promise.withResolvers<void>();
    const first = turns.take("a", () => blocked.promise);
    let runs = 0;
    const late = [1, 2, 3].map(() => turns.take("a", async () => (runs += 1)));
    blocked.resolve();
    await first;
    for (const { status } of await Promise.allSettled(late)) expect(status).toBe("rejected");
    expect(runs).toBe(0);
  });
});
