/** Names every fault that a run can inject; the counts list them and `--without` excludes them. */

/** Faults of a single request on the proxy of a device. */
export const NETWORK_FAULTS = [
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
export type NetworkFault = (typeof NETWORK_FAULTS)[number];

export const SCENARIO_FAULTS = [
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
  'adversary',
  'host_practice',
  'aged_edits',
  'restore_server',
  'restore_in_place',
  'moved_server',
  'word_limit',
  'new_app',
  'second_client',
  'restored_folder',
  'copied_folder',
] as const;
export type ScenarioFault = (typeof SCENARIO_FAULTS)[number];

export type Fault = NetworkFault | ScenarioFault;
export const FAULTS: readonly Fault[] = [...NETWORK_FAULTS, ...SCENARIO_FAULTS];

/**
 * A fault in the next request. The fraction is its position in the message; the whole part counts the chunks before it.
 */
export interface ArmedFault {
  kind: NetworkFault;
  ms: number;
  cutAt: number;
}
