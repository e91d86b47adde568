/** Everything that is thrown at a run, by name: what the counts list, and what `--without` leaves out. */

/** Of one request on a device's line. */
export const LINE_FAULTS = [
  'drop_before',
  'drop_after',
  'duplicate',
  'replay_later',
  'delay',
  'cut_request',
  'cut_response',
  'silence',
  'trickle',
  'unavailable',
] as const;
export type LineFault = (typeof LINE_FAULTS)[number];

export const WORLD_FAULTS = [
  'kill_server',
  'kill_device',
  'restart_device',
  'offline',
  'skew',
  'disk_full',
  'damaged_database',
  'late_join',
  'old_client',
  'old_server',
  'old_folder',
  'old_database',
  'rogue',
  'host_practice',
  'aged_edits',
  'restore_server',
  'restore_in_place',
  'moved_server',
  'word_limit',
  'new_app',
  'second_client',
] as const;
export type WorldFault = (typeof WORLD_FAULTS)[number];

export type Fault = LineFault | WorldFault;
export const FAULTS: readonly Fault[] = [...LINE_FAULTS, ...WORLD_FAULTS];

/** One request's bad luck; the share is where it strikes, 0 up to 1. */
export interface ArmedFault {
  kind: LineFault;
  ms: number;
  share: number;
}
