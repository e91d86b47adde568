/** A run before it starts: who takes part, and what each does and meets, all from the seed. */
import type { ArmedFault } from '../faults.ts';
import type { Edit } from '../messages.ts';

export type Step =
  | { do: 'edit'; edit: Edit }
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
  | { do: 'killServer'; downMs: number };

export interface HostPlan {
  kind: 'host';
  learner: 0 | 1;
  host: number;
  skewMs: number;
  chanceSeed: number;
  /** Its folder was made by the first version that ever shipped. */
  isOldFolder: boolean;
  steps: Step[];
}

/** A machine that was not updated; it speaks protocol 1. */
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

export interface Plan {
  seed: number;
  isOldDatabase: boolean;
  hosts: HostPlan[];
  oldClient: OldClientPlan | null;
  lateJoiner: LateJoinerPlan | null;
  /** How often a rogue device tries, with a pause drawn for each time. */
  rogueAfterMs: number[];
}
