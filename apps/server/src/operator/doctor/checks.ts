import type { Check } from "./check.ts";
import { clock } from "./checks/clock.ts";
import { compileCache } from "./checks/compile-cache.ts";
import { database } from "./checks/database.ts";
import { databaseSpeed } from "./checks/database-speed.ts";
import { databaseVersion } from "./checks/database-version.ts";
import { databaseWritable } from "./checks/database-writable.ts";
import { diskSpace } from "./checks/disk-space.ts";
import { fileOwner } from "./checks/file-owner.ts";
import { filePermissions } from "./checks/file-permissions.ts";
import { keysWithoutExpiry } from "./checks/keys-without-expiry.ts";
import { lastBackup } from "./checks/last-backup.ts";
import { nodeVersion } from "./checks/node-version.ts";
import { openFiles } from "./checks/open-files.ts";
import { proxy } from "./checks/proxy.ts";
import { replicas } from "./checks/replicas.ts";
import { settingsCheck } from "./checks/settings.ts";
import { threadPool } from "./checks/thread-pool.ts";
import { timeouts } from "./checks/timeouts.ts";
import { unusedKeys } from "./checks/unused-keys.ts";
import type { DoctorCode } from "./codes.ts";

/** Each check by its code. To add one, add its code, its file, its line here, and its row in docs/operating.md. */
export const checks: Readonly<Record<DoctorCode, Check>> = {
  settings: settingsCheck,
  proxy,
  timeouts,
  node_version: nodeVersion,
  thread_pool: threadPool,
  compile_cache: compileCache,
  open_files: openFiles,
  disk_space: diskSpace,
  file_permissions: filePermissions,
  file_owner: fileOwner,
  database,
  database_version: databaseVersion,
  database_writable: databaseWritable,
  database_speed: databaseSpeed,
  clock,
  replicas,
  last_backup: lastBackup,
  keys_without_expiry: keysWithoutExpiry,
  unused_keys: unusedKeys,
};
