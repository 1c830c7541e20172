/** What storage does at the moment, and has done since it was opened, in this process. To read it costs nothing. */
export interface StorageLoad {
  /** Changes that were sent to be stored and are not answered. */
  readonly waitingWrites: number;
  /** The pools of connections. None for a database that is a file. */
  readonly pools: readonly PoolLoad[];
  /** Undefined without replicas. */
  readonly replication: ReplicationLoad | undefined;
}

export interface PoolLoad {
  readonly name: "read" | "write" | "replica";
  /** How many connections may be open while none hangs. */
  readonly max: number;
  readonly used: number;
  readonly idle: number;
  readonly waiting: number;
}

export interface ReplicationLoad {
  readonly reads: number;
  /** Reads that the primary answered instead, because the replica was behind, failed or was paused. */
  readonly readsPassedOver: number;
  /** How far each replica was behind the primary when it was last read, in the order of the setting. */
  readonly lagBytes: readonly (number | undefined)[];
}
