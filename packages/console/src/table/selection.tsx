import type { Run } from "@siteward/sdk/bulk";
import { useState } from "preact/hooks";
import { useDesk } from "../data/session.ts";
import { toVersions } from "../data/use-websites.ts";
import { BulkDialog } from "../dialogs/bulk-dialog.tsx";
import { DeleteDialog } from "../dialogs/delete-dialog.tsx";
import { Button } from "../parts/parts.tsx";
import { many, say } from "../words/text.ts";

/** @param total how many websites match the search */
type Props = Readonly<{ search: string; total: number }>;

/** What can be done with the websites that are selected, on this page or on others. */
export function Selection({ search, total }: Props) {
  const { client, work, pick, notify, finish } = useDesk();
  const { picked } = work;
  const [dialog, setDialog] = useState<"change" | "delete">();
  const pickMatches = async () => {
    const next = new Map(picked);
    const query = { ...(search !== "" && { search }), per_page: 100, entity_tags: 1 } as const;
    try {
      for await (const page of client.websites.list(query).pages()) {
        for (const version of toVersions(page)) next.set(version.website.id, version);
        notify(`${many(next.size)} selected …`);
      }
      pick(next);
      notify("");
    } catch (error) {
      notify(say(error));
    }
  };
  const close = (verb: string) => (run: Run) => {
    setDialog(undefined);
    finish(verb, run);
  };
  const shared = { versions: [...picked.values()], onClose: () => setDialog(undefined) };
  return (
    <section class="row picked" aria-label="Selection">
      <strong role="status">{many(picked.size)} selected</strong>
      {total > picked.size && (
        <Button
          label={`Select all ${total.toLocaleString("en")}${search === "" ? "" : " that match"}`}
          onClick={() => void pickMatches()}
        />
      )}
      <Button label="Change …" class="primary" onClick={() => setDialog("change")} />
      <Button label="Delete …" class="danger" onClick={() => setDialog("delete")} />
      <Button label="Clear" onClick={() => pick(new Map())} />
      {dialog === "change" && <BulkDialog {...shared} onDone={close("changed")} />}
      {dialog === "delete" && <DeleteDialog {...shared} onDone={close("deleted")} />}
    </section>
  );
}
