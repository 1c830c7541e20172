/** What storage does at the moment, and has done since it was opened, in this process. To read it costs nothing. */
export interface StorageLoad {
  /** Changes that were sent to be stored and are not answered. */
  readonly waitingWrites: number;
  /** Changes that were stored together. */
  readonly groups: WriteGroups;
  /** The pools of connections. None for a database that is a file. */
  readonly pools: readonly PoolLoad[];
  /** Undefined without replicas. */
  readonly replication: ReplicationLoad | undefined;
}

export interface WriteGroups {
  readonly count: number;
  /** The changes in all groups. */
  readonly writes: number;
}

export interface PoolLoad {
  readonly name: "read" | "write" | "replica";
  /** How many connections may be open while none hangs. */
  readonly max: number;
  readonly used: number;
  readonly idle: number;
  /** Callers that wait for a connection. */
  readonly waiting: number;
}

export interface ReplicationLoad {
  /** Reads that a replica answered. */
  readonly reads: number;
  /** Reads that the primary answered instead, because the replica was behind, failed or was paused. */
  readonly readsPassedOver: number;
  /** How far each replica was behind the primary when it was last read, in the order of the setting. */
  readonly lagBytes: readonly (number | undefined)[];
}
