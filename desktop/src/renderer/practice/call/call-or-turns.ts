/** How a session goes on that is opened again: as a call, for a learner who likes calls, or turn by turn. */
import type { SessionView } from '@parley/contract';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useHost } from '../../app/host-context.tsx';
import { openWays } from '../../app/open-ways.ts';

/** Null while it is not known. `mayCall`: whether it can be held as a call at all. */
export function useCallOrTurns(session: SessionView | undefined): { mayCall: boolean; isCall: boolean } | null {
  const { queries } = useHost();
  const offer = useQuery(queries.coach.offer.queryOptions());
  const account = useQuery(queries.account.state.queryOptions());
  const settings = useQuery(queries.settings.read.queryOptions());
  const { turnByTurn = false } = useSearch({ strict: false });
  if (session === undefined) return null;
  const isRunning = session.phase === 'learner_turn' || session.phase === 'coach_turn' || session.phase === 'paused';
  if (session.coachKind !== 'live' || session.communicationStyle !== 'audio' || !isRunning)
    return { mayCall: false, isCall: false };
  if (offer.isPending || settings.isPending || account.isPending) return null;
  const mayCall = openWays({ offer: offer.data, state: account.data, style: 'audio' }).call === 'open';
  const likesCalls = settings.data?.profile.practiceStyle === 'ultra_realistic';
  return { mayCall, isCall: mayCall && likesCalls && !turnByTurn };
}
