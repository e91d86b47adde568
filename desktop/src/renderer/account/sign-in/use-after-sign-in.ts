/** Clears the previous account's data after sign-in and opens the right screen. */
import type { AccountState } from '@parley/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { clearAccountCache } from '../../foundation/host/clear-account-cache.ts';
import { useHost } from '../../foundation/host/host-context.tsx';

export function useAfterSignIn(): (state: AccountState) => Promise<void> {
  const { client } = useHost();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return async ({ liveAccess }) => {
    await clearAccountCache(queryClient);
    if (liveAccess === 'waiting' || liveAccess === 'taken') return navigate({ to: '/waiting' });
    const { profile } = await client.settings.read();
    return profile.hasSeenOnboarding ? navigate({ to: '/' }) : navigate({ to: '/welcome', search: { step: 1 } });
  };
}
