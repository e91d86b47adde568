/** The plan of a run: its participants and all their steps, drawn from the seed. */
import type { ArmedFault } from '../faults.ts';
import type { Edit } from '../messages.ts';

export type Step =
  /** With an age, the edit is dated that long ago and was made offline. */
  | { do: 'edit'; edit: Edit; ageMs?: number }
  | { do: 'sync' }
  | { do: 'line'; fault: ArmedFault }
  | { do: 'offline'; isOffline: boolean }
  | { do: 'oldServer'; isOld: boolean }
  | { do: 'skew'; skewMs: number }
  | { do: 'restart' }
  /** Kills the process after this many milliseconds, so that the edit is never answered. */
  | { do: 'killDuringEdit'; edit: Edit; afterMs: number }
  | { do: 'killDuringSync'; afterMs: number }
  | { do: 'backUp' }
  /** The places in the file that are overwritten, as shares of its length. */
  | { do: 'damage'; shares: number[] }
  | { do: 'fillDisk'; edits: Edit[] }
  | { do: 'practise' }
  /** Puts a copy of the data folder aside, like a backup of the whole computer. */
  | { do: 'copyFolder' }
  /** Restores the last copy, which lacks everything that the device has done since. */
  | { do: 'restoreFolder' }
  | { do: 'pause'; ms: number }
  | { do: 'killServer'; downMs: number }
  | { do: 'backUpServer' }
  | { do: 'restoreServer'; restore: ServerRestore };

/** Whether the edit is dated back, which only the first steps may be, because a device's clock never goes back. */
export const isBackdated = (step: Step): boolean => step.do === 'edit' && step.ageMs !== undefined;

/** A restore of the server database from its last backup. */
export interface ServerRestore {
  /** Restores only the rows, so that nothing else reveals that they are older. */
  isInPlace: boolean;
  /** The operator starts a new epoch, as the manual requires. */
  isEpochAnnounced: boolean;
  downMs: number;
}

export interface HostPlan {
  kind: 'host';
  learner: 0 | 1;
  host: number;
  skewMs: number;
  /** The clock is never moved, so the server can estimate its offset. */
  hasSteadyClock: boolean;
  chanceSeed: number;
  /** The folder was written by the first released version. */
  isOldFolder: boolean;
  /** Another device runs on a copy of the same folder at the same time, under the same device id. */
  isFolderShared: boolean;
  /** The device starts offline until a step changes that. */
  isOffline: boolean;
  steps: Step[];
}

/** A device that was never updated and speaks protocol 2. */
export interface OldClientPlan {
  kind: 'oldClient';
  skewMs: number;
  steps: Step[];
}

/** A new device that worked alone first and then joins the first learner. */
export interface LateJoinerPlan {
  kind: 'lateJoiner';
  skewMs: number;
  chanceSeed: number;
  /** Whether it has imported the file of a device of that learner. */
  hasImported: boolean;
  stepsBeforeJoin: Step[];
  killAfterMs: number | null;
  steps: Step[];
}

/** A client that was written from the protocol document alone. */
export interface SecondClientPlan {
  skewMs: number;
  steps: Step[];
}

export interface Plan {
  seed: number;
  isOldDatabase: boolean;
  hosts: HostPlan[];
  oldClient: OldClientPlan | null;
  lateJoiner: LateJoinerPlan | null;
  secondClientPlan: SecondClientPlan | null;
  /** A device with a later version of the app takes part. */
  hasNewerApp: boolean;
  /** Delays before each attempt of the adversary. */
  adversaryDelaysMs: number[];
  /** The server is restored to an earlier state. */
  isRestored: boolean;
  /** The server moved to another machine without losing data, which looks like a restore. */
  isMoved: boolean;
  /** Two devices start with more words than one list can hold. */
  hasLongLists: boolean;
}
