/** A function with the signature of the standard `fetch`. */
export type FakeFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
