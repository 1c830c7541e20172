import type { Row } from "../row.ts";
import { backup } from "./backup.ts";
import { backupFullDisk } from "./backup-full-disk.ts";
import { backupKilled } from "./backup-killed.ts";
import { badKeys } from "./bad-keys.ts";
import { crowded } from "./crowded.ts";
import { descriptors } from "./descriptors.ts";
import { expensiveRequestsRow } from "./expensive-requests.ts";
import { fairness } from "./fairness.ts";
import { feed } from "./feed.ts";
import { fullDisk } from "./full-disk.ts";
import { growth } from "./growth.ts";
import { hostileFilesRow } from "./hostile-files.ts";
import { ioFaults } from "./io-faults.ts";
import { killNine } from "./kill-nine.ts";
import { mirror } from "./mirror.ts";
import { once } from "./once.ts";
import { onceKilled } from "./once-killed.ts";
import { onceOutage } from "./once-outage.ts";
import { overload } from "./overload.ts";
import { passwordFlood } from "./password-flood.ts";
import { postgresOutage } from "./postgres-outage.ts";
import { powerLoss } from "./power-loss.ts";
import { races } from "./races.ts";
import { rateLimits } from "./rate-limits.ts";
import { rawHttp } from "./raw-http.ts";
import { readOnly } from "./read-only.ts";
import { secrets } from "./secrets.ts";
import { slowClients } from "./slow-clients.ts";
import { tenantMatrix } from "./tenant-matrix.ts";
import { unreadAnswers } from "./unread-answers.ts";
import { workerStorm } from "./worker-storm.ts";

/** All rows by name, in the order in which they run. */
export const rows = {
  "kill-nine": killNine,
  "power-loss": powerLoss,
  "io-faults": ioFaults,
  "full-disk": fullDisk,
  backup,
  "backup-killed": backupKilled,
  "backup-full-disk": backupFullDisk,
  "read-only": readOnly,
  descriptors,
  "postgres-outage": postgresOutage,
  "raw-http": rawHttp,
  "unread-answers": unreadAnswers,
  "slow-clients": slowClients,
  overload,
  crowded,
  fairness,
  "password-flood": passwordFlood,
  "bad-keys": badKeys,
  "rate-limits": rateLimits,
  growth,
  "expensive-requests": expensiveRequestsRow,
  "hostile-files": hostileFilesRow,
  "tenant-matrix": tenantMatrix,
  secrets,
  races,
  once,
  "once-killed": onceKilled,
  "once-outage": onceOutage,
  "worker-storm": workerStorm,
  feed,
  mirror,
} as const satisfies Record<string, Row>;

export type RowName = keyof typeof rows;
