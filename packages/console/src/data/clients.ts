/**
 * Second levels under which a country registers domains. The whole public suffix list is 200 kB. A client is only a
 * heading, so a rare suffix that is missing here puts too many websites under one, and changes nothing.
 */
const secondLevels = new Set("ac,asso,co,com,edu,gob,gouv,gov,go,in,mil,ne,net,nom,or,org".split(","));

/** Returns the domain that somebody registered, for which `shop.client.co.uk` belongs to `client.co.uk`. */
export function clientOf(domain: string): string {
  const labels = domain.split(".");
  const isCountry = labels.at(-1)?.length === 2;
  return labels.slice(isCountry && secondLevels.has(labels.at(-2) ?? "") ? -3 : -2).join(".");
}
