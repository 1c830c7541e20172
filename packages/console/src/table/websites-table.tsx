import { useRef } from "preact/hooks";
import { clientOf, type findRows } from "../data/filter.ts";
import { keepPlace, readQuery, withQuery } from "../data/route.ts";
import { useDesk } from "../data/session.ts";
import type { Row } from "../data/websites.ts";
import { choices, lists } from "../words/settings.ts";
import { digits, many, toDate, toName } from "../words/text.ts";

/** @param shown those that this page shows */
type TableProps = Readonly<{ all: ReturnType<typeof findRows>; shown: readonly Row[] }>;

export function WebsitesTable({ all: { found, clients }, shown }: TableProps) {
  const { work, pick } = useDesk();
  const last = useRef<Row | undefined>(undefined);
  /** With Shift, also those between these and the one before, wherever a page or a filter has put it. */
  const onPick: OnPick = (rows, isOn, isRange) => {
    const [first] = rows;
    const ends = [first, last.current].map((row) => found.findIndex(({ id }) => id === row?.id));
    const between = isRange && !ends.includes(-1) ? found.slice(Math.min(...ends), Math.max(...ends) + 1) : [];
    const next = new Set(work.picked);
    for (const { id } of [...rows, ...between]) isOn ? next.add(id) : next.delete(id);
    pick(next);
    last.current = first;
  };
  return (
    <table>
      <caption class="hidden">Websites</caption>
      <thead>
        <tr>
          <PickCell label="Select this page" rows={shown} onPick={onPick} />
          <SortedColumn field="domain" label="Domain" />
          {choices.map(({ field, short }) => (
            <th key={field} scope="col" class={widthOf(field)}>
              {short}
            </th>
          ))}
          <th scope="col" class="wide">
            Excluded
          </th>
          <SortedColumn field="id" label="Added" />
        </tr>
      </thead>
      <tbody>
        {shown.map((row, at) => {
          const client = clientOf(row.domain);
          const isFirst = clients !== undefined && clientOf(shown[at - 1]?.domain ?? "") !== client;
          return [
            isFirst && <ClientRow key={client} client={client} rows={clients.get(client) ?? []} onPick={onPick} />,
            <WebsiteRow key={row.id} row={row} onPick={onPick} />,
          ];
        })}
      </tbody>
    </table>
  );
}

type OnPick = (rows: readonly Row[], isOn: boolean, isRange: boolean) => void;
type PickProps = Readonly<{ label: string; rows: readonly Row[]; onPick: OnPick }>;

/** Selects websites, if the key can change them. */
function PickCell({ label, rows, onPick }: PickProps) {
  const { mayWrite, work } = useDesk();
  if (!mayWrite) return null;
  const isOn = rows.every(({ id }) => work.picked.has(id));
  // Browsers differ in when Space with Shift clicks, so here it never does.
  const isSpace = ({ key, shiftKey }: KeyboardEvent) => key === " " && shiftKey;
  return (
    <td>
      <input
        type="checkbox"
        aria-label={label}
        checked={isOn}
        onClick={(event) => onPick(rows, event.currentTarget.checked, event.shiftKey)}
        onKeyDown={(event) => {
          if (!isSpace(event)) return;
          event.preventDefault();
          if (!event.repeat) onPick(rows, !isOn, true);
        }}
        onKeyUp={(event) => isSpace(event) && event.preventDefault()}
      />
    </td>
  );
}

type ClientProps = Omit<PickProps, "label"> & Readonly<{ client: string }>;

/** The heading above the websites of a client, with which all of them are selected, also those on other pages. */
function ClientRow({ client, rows, onPick }: ClientProps) {
  const { route } = useDesk();
  const name = toName(client);
  const open = rows.filter(({ privacy }) => privacy === 0).length;
  return (
    <tr class="client">
      <PickCell label={`Select all of ${name}`} rows={rows} onPick={onPick} />
      <th scope="rowgroup" colSpan={6}>
        <a href={withQuery(route, { search: client, group: "", page: "" })}>
          <bdi>{name}</bdi>
        </a>{" "}
        <span class="help">
          {many(rows.length)}
          {open > 0 && `, ${digits(open)} public`}
        </span>
      </th>
    </tr>
  );
}

/** A narrow screen shows the domain and who may see its statistics. */
function widthOf(field: string): string {
  return field === "privacy" || field === "domain" ? "" : "wide";
}

function WebsiteRow({ row, onPick }: Readonly<{ row: Row; onPick: OnPick }>) {
  const { work } = useDesk();
  const { id, domain, created_at } = row;
  const name = toName(domain);
  const excluded = lists.filter(({ field }) => row[field].length > 0);
  return (
    <tr class={work.picked.has(id) ? "on" : ""}>
      <PickCell label={`Select ${name}`} rows={[row]} onPick={onPick} />
      <th scope="row">
        <a href={`#/websites/${id}`} onClick={(event) => openRow(event, id)}>
          <bdi>{name}</bdi>
        </a>
        {/* Two domains that look alike differ here. */}
        {name !== domain && <span class="help"> {domain}</span>}
      </th>
      {choices.map(({ field, names }) => (
        <td key={field} class={widthOf(field)}>
          <span class={`value ${field}-${row[field]}`}>{names[row[field]]}</span>
        </td>
      ))}
      <td class="wide">{excluded.map(({ field, noun }) => many(row[field].length, noun)).join(", ") || "–"}</td>
      <td class="wide" title={created_at}>
        {toDate(created_at)}
      </td>
    </tr>
  );
}

/** A tab that Ctrl or ⌘ opens would have no key. One that the page opens gets a copy of what this tab keeps. */
function openRow(event: MouseEvent & { readonly currentTarget: HTMLAnchorElement }, id: number): void {
  if (!event.ctrlKey && !event.metaKey) {
    keepPlace(id);
  } else {
    event.preventDefault();
    open(event.currentTarget.href, "_blank");
  }
}

function SortedColumn({ field, label }: Readonly<{ field: "domain" | "id"; label: string }>) {
  const { route } = useDesk();
  const { sort_by, sort } = readQuery(route.query);
  const order = sort_by === field ? sort : undefined;
  const [name, arrow, next] = orders[order ?? field];
  return (
    <th scope="col" class={widthOf(field)} aria-sort={name}>
      <a class="sorter" href={withQuery(route, { sort_by: field, sort: next, page: "" })}>
        {label} <span aria-hidden="true">{arrow}</span>
      </a>
    </th>
  );
}

/** How a column is sorted, and what a click then chooses: at first, domains in order, and the newest. */
const orders = {
  asc: ["ascending", "↑", "desc"],
  desc: ["descending", "↓", "asc"],
  domain: ["none", "↕", "asc"],
  id: ["none", "↕", "desc"],
} as const;
