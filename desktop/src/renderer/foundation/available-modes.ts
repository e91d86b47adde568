/** Decides which modes with a model coach are available to this learner now, and why the others are not. */
import type { AccountState, CoachAvailability } from '@parley/contract';
import type { CommunicationStyle, LiveAccess } from '@parley/domain';

export type UnavailableReason = Exclude<LiveAccess, 'granted'> | 'no_minutes' | 'not_in_plan';
/** Null when the server does not offer the mode, or when nothing is known yet. */
export type ModeAvailability = 'open' | UnavailableReason | null;

export interface AvailableModes {
  /** Turn by turn with a model coach. */
  live: ModeAvailability;
  /** A realtime session. */
  call: ModeAvailability;
}

export interface AvailabilityInput {
  offer: CoachAvailability | undefined;
  state: AccountState | undefined;
  style: CommunicationStyle;
}

export function findAvailableModes({ offer, state, style }: AvailabilityInput): AvailableModes {
  if (offer === undefined || state === undefined || offer.coach === null) return { live: null, call: null };
  const live = modelCoachAvailability(state, style);
  const offersRealtime = live === 'open' && style === 'audio' && offer.realtime !== null;
  return { live, call: offersRealtime ? realtimeAvailability(state) : null };
}

function modelCoachAvailability(
  { liveAccess, known }: AccountState,
  style: CommunicationStyle,
): 'open' | UnavailableReason {
  if (liveAccess !== 'granted') return liveAccess;
  // Writing uses no minutes.
  return style === 'audio' && known?.account.live?.leftS === 0 ? 'no_minutes' : 'open';
}

function realtimeAvailability({ known }: AccountState): 'open' | UnavailableReason {
  const calls = known?.account.calls ?? null;
  if (calls === null) return 'open';
  if (calls.allowedS === 0) return 'not_in_plan';
  return calls.leftS === 0 ? 'no_minutes' : 'open';
}
