/** Where somebody goes who has just come in, and what they no longer see. */
import type { AccountState } from '@parley/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { forgetFormerAccount } from '../app/forget-former-account.ts';
import { useHost } from '../app/host-context.tsx';

export function useArrival(): (state: AccountState) => Promise<void> {
  const { client } = useHost();
  const cache = useQueryClient();
  const navigate = useNavigate();
  return async ({ liveAccess }) => {
    await forgetFormerAccount(cache);
    if (liveAccess === 'waiting' || liveAccess === 'taken') return navigate({ to: '/waiting' });
    const { profile } = await client.settings.read();
    return profile.hasSeenOnboarding ? navigate({ to: '/' }) : navigate({ to: '/welcome', search: { step: 1 } });
  };
}
