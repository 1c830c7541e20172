/** The checks in the order in which they are printed. Scripts rely on these names. docs/operating.md lists them. */
export const doctorCodes = [
  "settings",
  "proxy",
  "timeouts",
  "node_version",
  "thread_pool",
  "compile_cache",
  "open_files",
  "disk_space",
  "file_permissions",
  "file_owner",
  "database",
  "database_version",
  "database_writable",
  "database_speed",
  "clock",
  "replicas",
  "last_backup",
  "keys_without_expiry",
  "unused_keys",
] as const;

export type DoctorCode = (typeof doctorCodes)[number];
