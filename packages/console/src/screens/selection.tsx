import type { Run } from "@siteward/sdk/bulk";
import { useState } from "preact/hooks";
import type { Doing } from "../data/journal-store.ts";
import { useDesk } from "../data/session.ts";
import type { Row } from "../data/websites.ts";
import { keepFocus } from "../parts/focus.ts";
import { Button } from "../parts/parts.tsx";
import { digits, many } from "../words/text.ts";
import { lazy } from "./lazy.tsx";

const dialogs = {
  Change: lazy("ChangeDialog"),
  Compare: lazy("CompareDialog"),
  Delete: lazy("DeleteDialog"),
};

/** What can be done with the websites that are selected, on this page or on others. */
export function Selection({ found, rows }: { readonly found: readonly Row[]; readonly rows: readonly Row[] }) {
  const { work, websites, pick, finish } = useDesk();
  const { picked } = work;
  const [dialog, setDialog] = useState<keyof typeof dialogs>();
  const hidden = rows.length - found.filter(({ id }) => picked.has(id)).length;
  const rest = found.length - (rows.length - hidden);
  const begin = (name: keyof typeof dialogs) => {
    // The preview then says what is so now.
    void websites.refresh();
    setDialog(name);
  };
  const close = (run: Run, doing: Doing) => {
    // The dialog may have been closed, and another one opened, before its run had ended.
    setDialog((now) => (now === dialog ? undefined : now));
    finish(run, doing);
  };
  const clear = () => {
    keepFocus();
    pick(new Set());
  };
  const Dialog = dialog && dialogs[dialog];
  return (
    <section class="row picked" aria-label="Selection">
      <strong role="status">
        {many(rows.length)} selected{hidden > 0 && `, ${digits(hidden)} not shown here`}
      </strong>
      {rest > 0 && websites.isComplete && (
        <Button
          label={`Select all ${digits(found.length)} found`}
          onClick={() => pick(new Set([...picked, ...found.map(({ id }) => id)]))}
        />
      )}
      {rows.length > 0 && (
        <>
          <Button label="Change …" class="primary" onClick={() => begin("Change")} />
          <Button label="Compare …" onClick={() => begin("Compare")} />
          <Button label="Delete …" class="danger" onClick={() => begin("Delete")} />
          <Button label="Clear" onClick={clear} />
        </>
      )}
      {Dialog && <Dialog rows={rows} onClose={() => setDialog(undefined)} onDone={close} />}
    </section>
  );
}
