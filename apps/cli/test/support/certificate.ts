import { createPrivateKey, type KeyObject } from "node:crypto";

/** A certificate for siteward.test, signed by its own key, valid until 2126. */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBczCCASWgAwIBAgIUOtwXitxoOQpBb6XutOemg9161UowBQYDK2VwMBgxFjAU
BgNVBAMMDXNpdGV3YXJkLnRlc3QwIBcNMjYxMTIyMTA1MTM3WhgPMjEyNjEwMjkx
MDUxMzdaMBgxFjAUBgNVBAMMDXNpdGV3YXJkLnRlc3QwKjAFBgMrZXADIQDzRLSW
SeU1WniaX5E9Q6JUojKtHrBqbabjdtpUvouPuKN/MH0wHQYDVR0OBBYEFGJbA54E
RMpPICQNcxab7XrQP6PBMB8GA1UdIwQYMBaAFGJbA54ERMpPICQNcxab7XrQP6PB
MA8GA1UdEwEB/wQFMAMBAf8wKgYDVR0RBCMwIYINc2l0ZXdhcmQudGVzdIIKcHJv
eHkudGVzdIcEfwAAATAFBgMrZXADQQAU6A6bcteMgjM6jyBo5A0SJM9Vp9U9A9oO
9jeGIi29XN5Cb0dQm8XZdhKraKbjCePSkVXMuUkEfuq1VTosbZwE
-----END CERTIFICATE-----
`;

/** The key of the certificate. It protects nothing: everyone can read its seed here. */
export const certificateKey: KeyObject = createPrivateKey({
  // An Ed25519 key in PKCS #8 is this prefix and a seed of 32 bytes (RFC 8410, section 7).
  key: Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), Buffer.alloc(32, "siteward test key")]),
  format: "der",
  type: "pkcs8",
});
