import { useMemo } from "preact/hooks";
import { downloadCsv } from "../data/csv.ts";
import { findRows, isFiltered, withoutFilter } from "../data/filter.ts";
import { pageSize, readQuery } from "../data/route.ts";
import { useDesk } from "../data/session.ts";
import { maxWebsites, type Row, useChanges, type Websites } from "../data/websites.ts";
import { Button, Complaints, Jump, Title } from "../parts/parts.tsx";
import { FilterBar } from "../table/filter-bar.tsx";
import { Pager } from "../table/pager.tsx";
import { WebsitesTable } from "../table/websites-table.tsx";
import { digits, many } from "../words/text.ts";
import { lazy } from "./lazy.tsx";
import { Selection } from "./selection.tsx";

const LastRun = lazy("LastRun");

/** All websites: searched, filtered, sorted, selected. Nothing of it asks the server. */
export function WebsitesScreen() {
  const { websites, mayWrite, work, route } = useDesk();
  const { query } = route;
  const round = useChanges(websites);
  const { sort_by, page: asked } = readQuery(query);
  const rows = websites.sorted(sort_by);
  const all = useMemo(() => findRows(rows, query), [rows, query.toString()]);
  const { found, fault } = all;
  // Others may have deleted some of them.
  const picked = useMemo(() => [...work.picked].flatMap((id) => websites.get(id) ?? []), [work.picked, round]);
  const pages = Math.max(1, Math.ceil(found.length / pageSize));
  const page = Math.min(pages, asked);
  const isAsked = isFiltered(query);
  return (
    <>
      <div class="row">
        <Title>Websites</Title>
        <p role="status" class="count">
          {isAsked && `${digits(found.length)} of `}
          {many(rows.length)}
          {describeReading(websites, rows.length)}
        </p>
        {mayWrite && work.rest.length > 0 && <LastRun />}
        <ExportButton rows={picked.length > 0 ? picked : found} isPicked={picked.length > 0} />
        {mayWrite && (
          <a class="button primary" href="#/add">
            Add websites
          </a>
        )}
      </div>
      <FilterBar rows={rows} fault={fault} />
      {fault !== "" && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
      <Complaints complaints={work.complaints} />
      {mayWrite && (picked.length > 0 || isAsked) && <Selection found={found} rows={picked} />}
      {found.length === 0 && websites.total !== undefined && <Empty isNone={rows.length === 0} />}
      {found.length > 0 && (
        <>
          <Jump class="skip" to="pages">
            Skip the table
          </Jump>
          <WebsitesTable all={all} shown={found.slice((page - 1) * pageSize, page * pageSize)} />
          <Pager page={page} pages={pages} />
        </>
      )}
    </>
  );
}

function describeReading({ total = 0, isComplete, isStale }: Websites, read: number): string {
  const away = isStale ? " · The server does not answer. This is what it said last." : "";
  if (!isComplete) return ` · Reading: ${digits(read)} of ${many(total)} …${away}`;
  const newest = ` · The newest ${digits(maxWebsites)} of ${digits(total)}, as they were read`;
  return (total > maxWebsites ? newest : "") + away;
}

/** Saves what is selected, or else what is found, as it is now. */
function ExportButton({ rows, isPicked }: { readonly rows: readonly Row[]; readonly isPicked: boolean }) {
  const { websites, notify } = useDesk();
  const save = async () => {
    await websites.refresh();
    if (websites.isStale) return notify("Nothing was exported, because the server does not answer.");
    const now = rows.flatMap(({ id }) => websites.get(id) ?? []);
    downloadCsv(now);
    notify(`${many(now.length)} exported to websites.csv.`);
  };
  const label = isPicked ? `Export ${digits(rows.length)} selected` : "Export CSV";
  // What was read so far would be taken for all.
  return <Button label={label} isOff={!websites.isComplete} onClick={() => void save()} />;
}

function Empty({ isNone }: { readonly isNone: boolean }) {
  const { mayWrite, route } = useDesk();
  const search = route.query.get("search") ?? "";
  if (isNone) return <p>No websites yet. {mayWrite && <a href="#/add">Add the first ones</a>}</p>;
  return (
    <p>
      No website is like that. <a href={withoutFilter(route)}>Show all</a>{" "}
      {mayWrite && search !== "" && <a href={`#/add?domains=${encodeURIComponent(search)}`}>Add {search}</a>}
    </p>
  );
}
