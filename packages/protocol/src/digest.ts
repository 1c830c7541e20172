/** Returns the SHA-256 of a text in base64url. It is an argument, because platforms have different ways to compute it. */
export type Digest = (text: string) => string;
