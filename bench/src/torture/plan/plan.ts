/** A run before it starts: who takes part, and what each does and meets, all from the seed. */
import type { ArmedFault } from '../faults.ts';
import type { Edit } from '../messages.ts';

export type Step =
  /** With an age, it was made so long ago, while its device was offline. */
  | { do: 'edit'; edit: Edit; ageMs?: number }
  | { do: 'sync' }
  | { do: 'line'; fault: ArmedFault }
  | { do: 'offline'; isOffline: boolean }
  | { do: 'oldServer'; isOld: boolean }
  | { do: 'skew'; skewMs: number }
  | { do: 'restart' }
  /** What is under way is never answered; the process is gone after so long. */
  | { do: 'killDuringEdit'; edit: Edit; afterMs: number }
  | { do: 'killDuringSync'; afterMs: number }
  | { do: 'backUp' }
  /** Where in the file garbage lies, as shares of its length. */
  | { do: 'damage'; shares: number[] }
  | { do: 'fillDisk'; edits: Edit[] }
  | { do: 'practise' }
  | { do: 'pause'; ms: number }
  | { do: 'killServer'; downMs: number }
  | { do: 'backUpServer' }
  | { do: 'restoreServer'; restore: ServerRestore };

/** The server's database as it was at its last backup. */
export interface ServerRestore {
  /** Only the rows: nothing outside them tells that they are older. */
  isInPlace: boolean;
  /** The operator says so, as the manual asks for. */
  isTold: boolean;
  downMs: number;
}

export interface HostPlan {
  kind: 'host';
  learner: 0 | 1;
  host: number;
  skewMs: number;
  /** Its clock stays as it is, so the server can tell by how much it is off. */
  hasSteadyClock: boolean;
  chanceSeed: number;
  /** Its folder was made by the first version that ever shipped. */
  isOldFolder: boolean;
  /** From before it is opened until its steps say otherwise. */
  isOffline: boolean;
  steps: Step[];
}

/** A machine that was not updated; it speaks protocol 2. */
export interface OldClientPlan {
  kind: 'oldClient';
  skewMs: number;
  steps: Step[];
}

/** A new device that worked alone first, then joins the first learner. */
export interface LateJoinerPlan {
  kind: 'lateJoiner';
  skewMs: number;
  chanceSeed: number;
  alone: Step[];
  killAfterMs: number | null;
  steps: Step[];
}

/** A client that was written from the protocol's document alone. */
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
  secondClient: SecondClientPlan | null;
  /** A device of a later version tries its luck. */
  newApp: boolean;
  /** How often a rogue device tries, with a pause drawn for each time. */
  rogueAfterMs: number[];
  /** Its server is put back to an earlier time. */
  isRestored: boolean;
  /** Its server has lost nothing, and looks as if it might have. */
  isMoved: boolean;
  /** Two devices begin with more words than one list can hold. */
  hasLongLists: boolean;
}
