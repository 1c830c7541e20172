import { hash } from "node:crypto";

/**
 * Returns both lists of a website with as many entries as they can have, 33 kB in ASCII that no engine can compress. Lists of
 * different numbers have no entry in common.
 */
export function fullLists(number: number): { readonly exclude_params: string[]; readonly exclude_ips: string[] } {
  const digits = (name: string, length: number) => hash("sha512", `${number} ${name}`, "hex").slice(0, length);
  return {
    exclude_params: Array.from({ length: 100 }, (_, index) => digits(`param ${index}`, 128)),
    exclude_ips: Array.from({ length: 500 }, (_, index) => {
      const groups = digits(`ip ${index}`, 32).match(/.{4}/g) ?? [];
      // In canonical form, a group has no zeros in front.
      return groups.map((group) => group.replace(/^0/, "a")).join(":");
    }),
  };
}
