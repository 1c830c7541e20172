import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { noAccount } from "../whose-turn.ts";
import { CircuitBreakers, type NodeOf, type Turn } from "./circuit-breakers.ts";
import { ConnectionTurns } from "./connection-turns.ts";

const unavailable = { code: "unavailable" };
/** Accounts with odd IDs are on one node, and those with even IDs on another. */
const twoNodes: NodeOf = (accountId) => -(accountId % 2) - 1;
const eachItsOwn: NodeOf = (accountId) => accountId;

describe("The turns of connections", () => {
  it("go to accounts in turn, however many callers one of them has", async () => {
    const turns = createTurns({ max: 1 });
    const order: number[] = [];
    const held = await turns.begin(1);
    const callers = [1, 1, 1, 2, 3].map(async (accountId) => {
      const turn = await turns.begin(accountId);
      order.push(accountId);
      turns.end(turn, true);
    });
    turns.end(held, true);
    await Promise.all(callers);
    expect(order).toEqual([1, 2, 3, 1, 1]);
  });

  it("are refused to a caller that has waited too long", async () => {
    const turns = createTurns({ max: 1, maxWaitMs: 10 });
    const held = await turns.begin(1);
    await expect(turns.begin(2)).rejects.toMatchObject(unavailable);
    turns.end(held, true);
    expect(await turns.begin(2)).toMatchObject({ accountId: 2 });
  });

  it("are refused at once to the callers of an account past its share of those that may wait", async () => {
    const turns = createTurns({ max: 1 });
    await turns.begin(1);
    const waiting = Array.from({ length: 1_500 }, () => turns.begin(1).catch((error: unknown) => error));
    await expect(turns.begin(1)).rejects.toMatchObject(unavailable);
    expect(waiting).toHaveLength(1_500);
  });

  it("do not count while they hang, up to a limit, and keep their own account waiting", async () => {
    const turns = createTurns({ max: 1, maxHanging: 1 });
    const [first, second, again, third] = begin(turns, [1, 2, 1, 3]);
    turns.hang(await begun(first));
    turns.hang(await begun(second));
    await setImmediate();
    expect([again?.turn, third?.turn]).toEqual([undefined, undefined]);
    turns.end(await begun(first), false);
    expect(await begun(third)).toMatchObject({ accountId: 3 });
  });

  it("do not begin on a node where one hangs, and all begin once it was answered", async () => {
    const turns = createTurns({ max: 8, maxHanging: 8 }, twoNodes);
    const hanging = await turns.begin(1);
    turns.hang(hanging);
    const [sameNode, sameToo, otherNode] = begin(turns, [3, 5, 2]);
    await begun(otherNode);
    expect([sameNode?.turn, sameToo?.turn]).toEqual([undefined, undefined]);
    turns.end(hanging, true);
    await Promise.all([begun(sameNode), begun(sameToo)]);
  });

  it("try a node one at a time after one ended there without an answer, and take nobody's place", async () => {
    const turns = createTurns({ max: 1, maxHanging: 1 }, twoNodes);
    const hanging = await turns.begin(1);
    turns.hang(hanging);
    const [first, second, third] = begin(turns, [3, 5, 7]);
    turns.end(hanging, false);
    turns.end(await begun(first), false);
    const trying = await begun(second);
    expect(third?.turn).toBeUndefined();
    expect(await turns.begin(2)).toMatchObject({ accountId: 2 });
    turns.end(trying, false);
    await begun(third);
  });

  it("are canceled when too many hang, one for each turn that was answered in time", async () => {
    const turns = createTurns({ max: 1, maxHanging: 1 });
    turns.end(await turns.begin(1), true);
    const canceled: number[] = [];
    const callers = begin(turns, [2, 3, 4, 5]);
    for (const caller of callers.slice(0, 3)) {
      const turn = await begun(caller);
      turn.cancel = () => {
        canceled.push(turn.accountId);
        setTimeout(() => turns.end(turn, false));
      };
      turns.hang(turn);
    }
    await setImmediate();
    // The second one could hang in the place of the first. None was answered since, so the third keeps its place.
    expect(canceled).toEqual([2]);
    expect(callers[3]?.turn).toBeUndefined();
  });

  it("keep nobody else waiting if they have no account", async () => {
    const turns = createTurns({ max: 2, maxHanging: 2 });
    turns.hang(await turns.begin(noAccount));
    expect(await turns.begin(noAccount)).toMatchObject({ accountId: noAccount });
  });
});

function createTurns(
  { max, maxHanging = 0, maxWaitMs = 5_000 }: { max: number; maxHanging?: number; maxWaitMs?: number },
  nodeOf: NodeOf = eachItsOwn,
): ConnectionTurns {
  return new ConnectionTurns({ max, maxHanging, maxWaitMs }, new CircuitBreakers(nodeOf));
}

interface Caller {
  turn: Turn | undefined;
  readonly beginning: Promise<Turn>;
}

/** Starts callers of these accounts, whose turns may never begin. */
function begin(turns: ConnectionTurns, accountIds: readonly number[]): Caller[] {
  return accountIds.map((accountId) => {
    const caller: Caller = { turn: undefined, beginning: turns.begin(accountId) };
    caller.beginning.then(
      (turn) => {
        caller.turn = turn;
      },
      // It waited for too long, after its test.
      () => undefined,
    );
    return caller;
  });
}

async function begun(caller: Caller | undefined): Promise<Turn> {
  if (caller === undefined) throw new Error("There is no such caller.");
  return caller.beginning;
}
