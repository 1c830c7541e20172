import type { ModelWebsite } from "./account-model.ts";
import type { Subject } from "./operation.ts";

/** Strings to send in place of an id. */
const oddIds = [
  ...["0", "-1", "01", "1.0", "1e1", "+1", "abc", "%20", "1%20", "%00", "%ff", "%", "1%2f2", "1%2F..", "null", "NaN"],
  ...["9007199254740993", "99999999999999999999", "4294967296", "0x1", "%D9%A1", ";1", "1;2", "*", ":id"],
] as const;

/** Chooses an id as it is written in a path, usually one that exists. */
export function chooseId({ random, model, everyone }: Subject): {
  readonly text: string;
  readonly entry: ModelWebsite | undefined;
} {
  const kind = random.integer(1, 20);
  const own = [...model.websites.keys()];
  if (kind === 1) return { text: random.pick(oddIds), entry: undefined };
  const id =
    kind === 2 || own.length === 0
      ? model.lastId + random.integer(1, 1000)
      : kind === 3
        ? (random.pick(everyone).lastId ?? 1) + 1
        : kind <= 5 && model.deletedIds.length > 0
          ? random.pick(model.deletedIds)
          : random.pick(own);
  // "%31" is "1" in a path.
  const text = random.chance(0.05) ? String(id).replace(/^\d/, (digit) => `%3${digit}`) : String(id);
  return { text, entry: model.websites.get(id) };
}
