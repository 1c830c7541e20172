import type { Parsed } from "@siteward/contract/plain";
import type { ListName } from "../../websites/settings.ts";

/** A service whose sites can be imported, from the answers of its API or from CSV. */
export interface Service {
  readonly title: string;
  /** Fields that few lists of people have. Two of them are recognized: one can also be in a list of clients. */
  readonly ownFields: readonly string[];
  /** The field of an answer that contains the sites. An answer can also be the array itself. */
  readonly list?: string;
  /** Fields with addresses of the site. The first one that is a host is the domain. */
  readonly addresses: readonly string[];
  /** Whether a path is that of another site. If not, an address can be any URL. */
  readonly hasPaths?: true;
  /** Settings by their names there, beside `public`. `shared`: whoever has a link sees the statistics. */
  readonly names: Readonly<Partial<Record<"shared" | "password" | "exclude_bots" | ListName, string>>>;
  /** Fields that change what is counted or seen. After `!`, a field that does if it is false. */
  readonly others?: readonly string[];
  /** What it knows of a website and no answer contains. */
  readonly unsaid: readonly string[];
  /** Reads entries that it means differently. Default: by our grammar. */
  readonly parseEntry?: Readonly<Record<ListName, (text: string) => Parsed<string>>>;
  /** How it compares parameters, if not as we do. */
  readonly comparesParams?: string;
  /** Takes its export apart, if that contains more than sites. */
  readonly open?: (content: unknown) => Export | undefined;
}

/** The sites of an export, and what it could contain, and does not. */
export type Export = { readonly sites: readonly unknown[]; readonly missing: readonly string[] };

/** Names what is not carried as it was, by its kind and its domain, and what to do. */
export type Note = (kind: string, line: string, value?: string, advice?: string) => void;
