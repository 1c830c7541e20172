import { listLink } from "../data/route.ts";
import type { Account } from "../data/session.ts";
import { Button } from "../parts/parts.tsx";

interface Props {
  /** The first is the one that is shown. */
  readonly accounts: readonly Account[];
  readonly path: string;
  /** Called with the ID of the account to show. Empty for another one. */
  readonly onShow: (id: string) => void;
  readonly onForget: () => unknown;
}

/** Which account is shown, and where its screens are. */
export function Header({ accounts, path, onShow, onForget }: Props) {
  const names = accounts.map(({ name }) => name);
  const show = ({ currentTarget }: { readonly currentTarget: HTMLSelectElement }) => {
    onShow(currentTarget.value);
    // A person may have stayed.
    currentTarget.value = accounts[0]?.id ?? "";
  };
  const isHere = (other: string) => (path === other ? "page" : undefined);
  return (
    <header class="row bar">
      <a class="brand" href="#/">
        Siteward
      </a>
      <select aria-label="Account" value={accounts[0]?.id} onChange={show}>
        {accounts
          .toSorted((one, other) => one.name.localeCompare(other.name))
          .map(({ id, name }) => (
            <option key={id} value={id}>
              {names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} (${id})`}
            </option>
          ))}
        <option value="">Add another account …</option>
      </select>
      <nav class="row bare" aria-label="Console">
        <a href={listLink()} aria-current={isHere("/")}>
          Websites
        </a>
        <a href="#/journal" aria-current={isHere("/journal")}>
          Journal
        </a>
        <a href="docs">API</a>
        <Button label="Forget key" onClick={onForget} />
      </nav>
    </header>
  );
}
