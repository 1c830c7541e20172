import type { Siteward } from "@siteward/sdk";
import { useState } from "preact/hooks";
import { BulkDialog } from "./bulk-dialog.tsx";
import type { Made } from "./change-websites.ts";
import { DeleteDialog } from "./delete-dialog.tsx";
import { Button } from "./parts.tsx";
import type { Outcome } from "./run.tsx";
import { toVersions, type Version } from "./version.ts";
import type { Picked } from "./websites-table.tsx";
import { many, say } from "./words.ts";

interface Props {
  readonly client: Siteward;
  readonly search: string;
  /** How many websites match the search. */
  readonly total: number;
  readonly picked: Picked;
  readonly onPick: (picked: Picked) => void;
  readonly onNotice: (text: string) => void;
  /** Called when websites were changed or deleted, as the verb says. @param made what can be taken back */
  readonly onDone: (verb: string, outcome: Outcome<Version, unknown>, made: readonly Made[]) => void;
}

/** What can be done with the websites that are selected, on this page or on others. */
export function Selection({ client, search, total, picked, onPick, onNotice, onDone }: Props) {
  const [dialog, setDialog] = useState<"change" | "delete">();
  const pickMatches = async () => {
    const next = new Map(picked);
    const query = { ...(search !== "" && { search }), per_page: 100, entity_tags: 1 } as const;
    try {
      for await (const page of client.websites.list(query).pages()) {
        for (const version of toVersions(page)) next.set(version.website.id, version);
        onNotice(`${many(next.size)} selected …`);
      }
      onPick(next);
      onNotice("");
    } catch (error) {
      onNotice(say(error));
    }
  };
  const finish = (verb: string, outcome: Outcome<Version, unknown>, made: readonly Made[]) => {
    setDialog(undefined);
    onDone(verb, outcome, made);
  };
  const shared = { client, versions: [...picked.values()], onClose: () => setDialog(undefined) };
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
      <Button label="Clear" onClick={() => onPick(new Map())} />
      {dialog === "change" && (
        <BulkDialog {...shared} onDone={(outcome) => finish("changed", outcome, outcome.results)} />
      )}
      {dialog === "delete" && <DeleteDialog {...shared} onDone={(outcome) => finish("deleted", outcome, [])} />}
    </section>
  );
}
