import { listLink } from "../data/route.ts";
import { type Account, useDesk } from "../data/session.ts";
import { Button } from "../parts/parts.tsx";

type Props = Readonly<{ accounts: readonly Account[]; onShow: (id: string) => void; onForget: () => unknown }>;

/**
 * Which account is shown, and where its screens are.
 *
 * @param accounts the first is the one that is shown
 * @param onShow called with the ID of the account to show; empty for another one
 */
export function Header({ accounts, onShow, onForget }: Props) {
  const { route } = useDesk();
  const names = accounts.map(({ name }) => name);
  const show = ({ currentTarget }: { readonly currentTarget: HTMLSelectElement }) => {
    onShow(currentTarget.value);
    // A person may have stayed.
    currentTarget.value = accounts[0]?.id ?? "";
  };
  const isHere = (other: string) => (route.path === other ? "page" : undefined);
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
