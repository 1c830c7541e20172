/** Renders how many accounts and websites a database has, such as `1 account and 1,200 websites`. */
export function renderCounts({ accounts, websites }: { readonly accounts: number; readonly websites: number }): string {
  return `${renderCount(accounts, "account")} and ${renderCount(websites, "website")}`;
}

function renderCount(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}
