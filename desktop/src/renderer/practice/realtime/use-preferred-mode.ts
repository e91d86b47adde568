/** Decides whether a reopened session continues as a realtime session or turn by turn. */
import type { SessionView } from '@parley/contract';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useHost } from '../../foundation/host/host-context.tsx';
import { findAvailableModes } from '../../foundation/available-modes.ts';

/** Null while loading; otherwise whether a realtime session is possible, and whether the learner prefers it. */
export function usePreferredMode(
  session: SessionView | undefined,
): { canUseRealtime: boolean; isRealtime: boolean } | null {
  const { queries } = useHost();
  const offer = useQuery(queries.coach.offer.queryOptions());
  const account = useQuery(queries.account.state.queryOptions());
  const settings = useQuery(queries.settings.read.queryOptions());
  const { turnByTurn = false } = useSearch({ strict: false });
  if (session === undefined) return null;
  const isRunning = session.phase === 'learner_turn' || session.phase === 'coach_turn' || session.phase === 'paused';
  if (session.coachKind !== 'model' || session.communicationStyle !== 'audio' || !isRunning)
    return { canUseRealtime: false, isRealtime: false };
  if (offer.isPending || settings.isPending || account.isPending) return null;
  const canUseRealtime = findAvailableModes({ offer: offer.data, state: account.data, style: 'audio' }).call === 'open';
  const prefersRealtime = settings.data?.profile.practiceStyle === 'ultra_realistic';
  return { canUseRealtime, isRealtime: canUseRealtime && prefersRealtime && !turnByTurn };
}
