import proxyAddr from "proxy-addr";
import { choosePeer } from "./peers/choose-peer.ts";
import type { Trust } from "./proxy/headers.ts";

const choose = (no: string, yes: string) => (text: string) => text === yes || (text === no ? false : undefined);
const place = "an address such as 127.0.0.1:3200";

/** Each setting: its default, how it is read, and what it takes. It is not valid if it is read as undefined. */
const table = {
  COLLECT: ["", choosePeer, "matomo, umami, plausible or goatcounter, as umami:/path elsewhere, or json:/path:field"],
  PEER: ["", readPeer, "the URL of the analytics system, such as http://127.0.0.1:8080"],
  LISTEN: ["127.0.0.1:3200", readPlace, place],
  OPERATE: ["127.0.0.1:3201", (text: string) => (text === "off" ? null : readPlace(text)), `off, or ${place}`],
  TRUST_PROXY: ["loopback", readTrust, "off, a number of hops, or comma-separated addresses and networks"],
  UNKNOWN: ["pass", choose("pass", "drop"), "pass or drop"],
  DRY_RUN: ["off", choose("off", "on"), "on or off"],
  FILE: ["siteward-edge.websites", (text: string) => text, "the path of a file"],
} as const;

type Table = typeof table;
export type Settings = { readonly [Name in keyof Table]: Exclude<ReturnType<Table[Name][1]>, undefined> };

/** Reads the settings. @returns what is wrong, if anything is */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings | string[] {
  const names = Object.keys(table).map((name) => `SITEWARD_EDGE_${name}`);
  // Kubernetes sets some for a service with the name `siteward-edge`.
  const isOurs = (name: string) => /^SITEWARD_EDGE_(?!SERVICE_(HOST|PORT)|PORT($|_\d+_))/.test(name);
  const unknown = Object.keys(environment).filter((name) => environment[name] && isOurs(name) && !names.includes(name));
  const faults = unknown.map((name) => `${name} is not a setting. Use one of ${names.join(", ")}, or unset it.`);
  const values = Object.entries(table).map(([name, [unset, read, takes]]) => {
    const text = environment[`SITEWARD_EDGE_${name}`] || unset;
    const value = read(text);
    if (value === undefined) faults.push(`SITEWARD_EDGE_${name} is ${JSON.stringify(text)}. Set it to ${takes}.`);
    return [name, value];
  });
  // The cast is safe: each value is what its setting was read as.
  return faults.length > 0 ? faults : (Object.fromEntries(values) as Settings);
}

function readPlace(text: string): { readonly host: string; readonly port: number } | undefined {
  const [, host = "", port] = /^\[?((?<=\[)[\da-f:.]+(?=\])|[\w.-]+)\]?:(\d{1,5})$/i.exec(text) ?? [];
  return host !== "" && Number(port) <= 65_535 ? { host, port: Number(port) } : undefined;
}

function readPeer(text: string): URL | undefined {
  const url = URL.parse(text);
  return url?.protocol === "http:" && url.href === `${url.origin}/` ? url : undefined;
}

/** Remembers who is trusted, since to compare it takes microseconds. A network of all addresses would trust everybody. */
function readTrust(text: string): Trust | undefined {
  if (/^[1-9]\d?$/.test(text)) return (_, hop) => hop < Number(text);
  if (/\/0(,|$)/.test(text)) return undefined;
  try {
    const trust = proxyAddr.compile(text === "off" ? [] : text.split(",").map((entry) => entry.trim()));
    const known = new Map<string, boolean>();
    return (address, hop) => {
      const isTrusted = known.get(address) ?? trust(address, hop);
      if (known.size < 10_000) known.set(address, isTrusted);
      return isTrusted;
    };
  } catch {
    return undefined;
  }
}
