/** Which ways of holding a practice with a live coach are open to this learner now, and why another is not. */
import type { AccountState, CoachOffer } from '@parley/contract';
import type { CommunicationStyle, LiveAccess } from '@parley/domain';

export type WhyClosed = Exclude<LiveAccess, 'granted'> | 'no_minutes' | 'not_in_plan';
/** Null: the server has nobody for it, or nothing is known yet. */
export type Way = 'open' | WhyClosed | null;

export interface OpenWays {
  /** A coach that answers in words of its own. */
  live: Way;
  /** One with whom both may speak at once. */
  call: Way;
}

export interface Asked {
  offer: CoachOffer | undefined;
  state: AccountState | undefined;
  style: CommunicationStyle;
}

export function openWays({ offer, state, style }: Asked): OpenWays {
  if (offer === undefined || state === undefined || offer.coach === null) return { live: null, call: null };
  const live = liveWay(state, style);
  const hasCalls = live === 'open' && style === 'audio' && offer.realtime !== null;
  return { live, call: hasCalls ? callWay(state) : null };
}

function liveWay({ liveAccess, known }: AccountState, style: CommunicationStyle): 'open' | WhyClosed {
  if (liveAccess !== 'granted') return liveAccess;
  // Writing costs no minutes.
  return style === 'audio' && known?.account.live?.leftS === 0 ? 'no_minutes' : 'open';
}

function callWay({ known }: AccountState): 'open' | WhyClosed {
  const calls = known?.account.calls ?? null;
  if (calls === null) return 'open';
  if (calls.allowedS === 0) return 'not_in_plan';
  return calls.leftS === 0 ? 'no_minutes' : 'open';
}
