import { useMemo } from "preact/hooks";
import { downloadCsv } from "../data/csv.ts";
import { countValues, findRows, isFiltered, withoutFilter } from "../data/filter.ts";
import { pageSize, type Route, readQuery } from "../data/route.ts";
import { useDesk } from "../data/session.ts";
import { maxWebsites, type Row, useChanges, type Websites } from "../data/websites.ts";
import { lazy } from "../parts/lazy.tsx";
import { Button, Jump, Summary, Title } from "../parts/parts.tsx";
import { FilterBar } from "../table/filter-bar.tsx";
import { Pager } from "../table/pager.tsx";
import { Selection } from "../table/selection.tsx";
import { WebsitesTable } from "../table/websites-table.tsx";
import { many } from "../words/text.ts";

const LastRun = lazy(async () => (await import("../dialogs/last-run.tsx")).LastRun);

/** All websites: searched, filtered, sorted, selected. Nothing of it asks the server. */
export function WebsitesScreen({ route }: { readonly route: Route }) {
  const { websites, mayWrite, work } = useDesk();
  const { query } = route;
  const round = useChanges(websites);
  const { sort_by, page: asked } = readQuery(query);
  const all = websites.sorted(sort_by);
  const counts = useMemo(() => countValues(all), [all]);
  const { found, fault } = useMemo(() => findRows(all, query), [all, query.toString()]);
  // Others may have deleted some of them.
  const picked = useMemo(() => [...work.picked].flatMap((id) => websites.get(id) ?? []), [work.picked, round]);
  const pages = Math.max(1, Math.ceil(found.length / pageSize));
  const page = Math.min(pages, asked);
  const isAsked = isFiltered(query);
  return (
    <>
      <div class="row apart">
        <Title>Websites</Title>
        <p role="status" class="count">
          {isAsked && `${found.length.toLocaleString("en")} of `}
          {many(all.length)}
          {describeReading(websites, all.length)}
        </p>
        {mayWrite && work.rest.length > 0 && <LastRun />}
        <ExportButton rows={picked.length > 0 ? picked : found} isPicked={picked.length > 0} />
        {mayWrite && (
          <a class="button primary" href="#/add">
            Add websites
          </a>
        )}
      </div>
      <FilterBar route={route} counts={counts} fault={fault} />
      {fault !== "" && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
      <Complaints complaints={work.complaints} />
      {mayWrite && (picked.length > 0 || isAsked) && <Selection found={found} rows={picked} />}
      {found.length === 0 && websites.total !== undefined && <Empty route={route} isNone={all.length === 0} />}
      {found.length > 0 && (
        <>
          <Jump class="skip" to="pages">
            Skip the table
          </Jump>
          <WebsitesTable found={found} shown={found.slice((page - 1) * pageSize, page * pageSize)} route={route} />
          <Pager route={route} page={page} pages={pages} />
        </>
      )}
    </>
  );
}

function describeReading({ total = 0, isComplete, isStale }: Websites, read: number): string {
  const away = isStale ? " · The server does not answer. This is what it said last." : "";
  if (!isComplete) return ` · Reading: ${read.toLocaleString("en")} of ${many(total)} …${away}`;
  const newest = ` · The newest ${maxWebsites.toLocaleString("en")} of ${total.toLocaleString("en")}, as they were read`;
  return (total > maxWebsites ? newest : "") + away;
}

/** Saves what is selected, or else what is found, as it is now. */
function ExportButton({ rows, isPicked }: { readonly rows: readonly Row[]; readonly isPicked: boolean }) {
  const { websites, notify } = useDesk();
  const save = async () => {
    await websites.refresh();
    if (websites.isStale) return notify("Nothing was exported, because the server does not answer.");
    const now = rows.flatMap(({ website }) => websites.get(website.id)?.website ?? []);
    downloadCsv(now);
    notify(`${many(now.length)} exported to websites.csv.`);
  };
  const label = isPicked ? `Export ${rows.length.toLocaleString("en")} selected` : "Export CSV";
  // What was read so far would be taken for all.
  return <Button label={label} isOff={!websites.isComplete} onClick={() => void save()} />;
}

/** How many complaints are named. The others are counted. */
const maxNamed = 20;

function Complaints({ complaints }: { readonly complaints: readonly string[] }) {
  if (complaints.length === 0) return null;
  const others = complaints.length - maxNamed;
  return (
    <Summary title={`${complaints.length.toLocaleString("en")} failed`} about={complaints}>
      <ul>
        {complaints.slice(0, maxNamed).map((complaint) => (
          <li key={complaint}>{complaint}</li>
        ))}
        {others > 0 && <li>And {others.toLocaleString("en")} more.</li>}
      </ul>
    </Summary>
  );
}

function Empty({ route, isNone }: { readonly route: Route; readonly isNone: boolean }) {
  const { mayWrite } = useDesk();
  const search = route.query.get("search") ?? "";
  if (isNone) return <p class="empty">No websites yet. {mayWrite && <a href="#/add">Add the first ones</a>}</p>;
  return (
    <p class="empty">
      No website is like that. <a href={withoutFilter(route)}>Show all</a>{" "}
      {mayWrite && search !== "" && <a href={`#/add?domains=${encodeURIComponent(search)}`}>Add {search}</a>}
    </p>
  );
}
