import { versionAt } from "./version-at.ts";
import type { WebsiteList } from "./website-list.ts";

/**
 * Returns the entity tag of a page, from all that can change in it: its records, the total, its neighbors and the
 * newest change of the account. The rest of the page follows from its URL. It is weak, because it is not derived from the bytes. The
 * account is part of it, because pages of several accounts have the same URL.
 *
 * It is a hash of 64 bits in two halves, of numbers only. To write them into a string and hash that with SHA-256 took 3 % of
 * the time of a page of ten.
 */
export function listTag(accountId: number, list: WebsiteList): string {
  const { websites, total, totalRelation, hasPrevious, hasNext, changes } = list;
  const flags = (totalRelation === "eq" ? 4 : 0) + (hasPrevious ? 2 : 0) + (hasNext ? 1 : 0);
  let left: number = seeds.left;
  let right: number = seeds.right;
  for (const number of [accountId, total, flags, changes.number, changes.at]) {
    left = mix(left, number, factors.left);
    right = mix(right, number, factors.right);
  }
  for (let index = 0; index < websites.length; index += 1) {
    const id = websites[index]?.id ?? 0;
    const version = versionAt(list, index);
    left = mix(mix(left, id, factors.left), version, factors.left);
    right = mix(mix(right, id, factors.right), version, factors.right);
  }
  return `W/"${left}.${right}"`;
}

/** Those of the finalizer of MurmurHash3 and of the golden ratio. Each factor is odd, so no bit of the state is lost. */
const seeds = { left: 0x9e3779b9, right: 0x7f4a7c15 } as const;
const factors = { left: 0x85ebca6b, right: 0xc2b2ae35 } as const;

/** Mixes the lowest 32 bits of a number into half of the hash. */
function mix(state: number, value: number, factor: number): number {
  const mixed = Math.imul(state ^ value, factor);
  return mixed ^ (mixed >>> 15);
}
