/** API keys with a right checksum, and what the service of the tests says of them. */
export const keys = {
  full: "swk_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA3Ae0o2",
  withoutAccountScope: "swk_BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB0at54f",
  revoked: "swk_CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC1fdVXg",
} as const;
