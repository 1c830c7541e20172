import fc from "fast-check";
import { expect, test } from "vitest";
import { editLists } from "./edit-lists.ts";

test("after any edit, the list has what was added, lacks what was removed, and keeps the rest; repeating it changes nothing", () => {
  const entries = fc.uniqueArray(fc.stringMatching(/^[a-f]$/));
  fc.assert(
    fc.property(entries, entries, entries, (list, add, others) => {
      const remove = others.filter((entry) => !add.includes(entry));
      const edits = { exclude_ips: { add, remove } };
      const { lists } = editLists({ exclude_params: [], exclude_ips: list }, edits);
      const edited = lists.exclude_ips ?? list;
      const kept = list.filter((entry) => !remove.includes(entry));
      expect(edited.slice(0, kept.length)).toEqual(kept);
      expect(edited.toSorted()).toEqual([...new Set([...kept, ...add])].toSorted());
      const again = editLists({ exclude_params: [], exclude_ips: edited }, edits);
      expect(again.lists).toEqual({});
      expect(again.present.map(({ entry }) => entry)).toEqual(add);
      expect(again.missing.map(({ entry }) => entry)).toEqual(remove);
    }),
  );
});
