/**
 * Returns a digest of a text: at least 22 characters of base64url. It is an argument, because platforms have different ways to
 * compute one. The server's is SHA-256.
 */
export type Digest = (text: string) => string;
