import type { Work } from "../data/changes.ts";
import { type Route, withQuery } from "../data/route.ts";
import type { Row } from "../data/websites.ts";
import { many } from "../words/text.ts";

interface ClientProps {
  readonly client: string;
  readonly found: readonly Row[];
  readonly route: Route;
  /** Undefined if nothing can be selected. */
  readonly picked: Work["picked"] | undefined;
  readonly onPick: (rows: readonly Row[], isOn: boolean) => void;
}

/** The heading above the websites of a client, with which all of them are selected, also on other pages. */
export function ClientRow({ client, found, route, picked, onPick }: ClientProps) {
  const rows = found.filter((row) => row.client === client);
  const open = rows.filter(({ website }) => website.privacy === 0).length;
  return (
    <tr class="client">
      {picked && (
        <td>
          <input
            type="checkbox"
            aria-label={`Select all of ${client}`}
            checked={rows.every(({ website }) => picked.has(website.id))}
            onChange={(event) => onPick(rows, event.currentTarget.checked)}
          />
        </td>
      )}
      <th scope="rowgroup" colSpan={6}>
        <a href={withQuery(route, { client, group: "", page: "" })}>
          <bdi>{client}</bdi>
        </a>{" "}
        <span class="help">
          {many(rows.length)}
          {open > 0 && `, ${open.toLocaleString("en")} public`}
        </span>
      </th>
    </tr>
  );
}
