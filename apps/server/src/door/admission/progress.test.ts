import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { SharedPlaces } from "../../queues/shared-places.ts";
import { Progress, type RequestsInProgress } from "./progress.ts";

const keyId = 7;

describe("what a request takes of what all share", () => {
  test("is counted for its key as soon as that is known, and given back once it is answered", () => {
    const shared = { ...share(4), keyOf: () => undefined };
    const progress = enter(shared);
    progress.identify(keyId);
    expect([1, 2].map(() => shared.places.take(keyId, 1))).toEqual([undefined, "share"]);
    shared.places.giveBack(keyId, 1);
    progress.leave();
    progress.leave();
    expect(shared.places.take(keyId, 4)).toBeUndefined();
  });

  test("of a body is what it can become, and then what it is, until the request is answered", () => {
    const shared = share();
    const progress = enter(shared);
    progress.reserveBody(600);
    expect(takenOf(shared.bodyBytes)).toBe(600);
    progress.shrinkBody(20);
    expect(takenOf(shared.bodyBytes)).toBe(20);
    progress.shrinkBody(30);
    expect(takenOf(shared.bodyBytes)).toBe(20);
    progress.leave();
    expect(takenOf(shared.bodyBytes)).toBe(0);
  });

  test("is nothing once its client has disconnected", () => {
    const shared = share();
    const progress = enter(shared);
    progress.leave();
    progress.reserveBody(600);
    progress.identify(keyId + 1);
    expect([takenOf(shared.places), takenOf(shared.bodyBytes)]).toEqual([0, 0]);
  });

  test("stays counted while it is worked on, although its client has disconnected", () => {
    const shared = share();
    const progress = enter(shared);
    progress.reserveBody(600);
    progress.beginWork();
    progress.leave();
    expect([takenOf(shared.places), takenOf(shared.bodyBytes)]).toEqual([1, 600]);
    progress.endWork();
    expect([takenOf(shared.places), takenOf(shared.bodyBytes)]).toEqual([0, 0]);
  });

  test("is counted again if its work begins after its client has disconnected, or is refused", () => {
    const shared = share();
    const progress = enter(shared);
    progress.leave();
    progress.beginWork();
    expect([takenOf(shared.places), progress.overload]).toEqual([1, undefined]);
    progress.endWork();
    expect(takenOf(shared.places)).toBe(0);
    const late = enter(shared);
    late.leave();
    shared.places.take(keyId, max);
    late.beginWork();
    late.endWork();
    expect([takenOf(shared.places), late.overload]).toEqual([max, "requests"]);
  });
});

const max = 1_000;

function share(count = max): RequestsInProgress {
  return { places: new SharedPlaces(count), bodyBytes: new SharedPlaces(count), keyOf: () => keyId };
}

function enter(shared: RequestsInProgress): Progress {
  const progress = new Progress(new IncomingMessage(new Socket()), shared);
  progress.enter();
  return progress;
}

/** Counts what is taken, by letting new keys take the rest. */
function takenOf(places: SharedPlaces): number {
  let free = 0;
  while (places.take(keyId + 1 + free, 1) === undefined) free += 1;
  for (let index = 0; index < free; index += 1) places.giveBack(keyId + 1 + index, 1);
  return max - free;
}
