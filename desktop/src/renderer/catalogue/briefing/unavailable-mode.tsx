/** Explains why a practice mode is unavailable and what makes it available. */
import { t } from '@parley/i18n';
import { Banner, Button } from '@parley/ui';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { UnavailableReason } from '../../foundation/available-modes.ts';
import { MINUTES_USED_UP_TEXT, QuotaExhaustedBanner } from '../../foundation/screen/quota-exhausted-banner.tsx';

export interface UnavailableModeProps {
  mode: 'live' | 'call';
  reason: UnavailableReason;
  /** Whether this account may have the free week. */
  canStartTrial: boolean;
}

export function UnavailableMode({ mode, reason, canStartTrial }: UnavailableModeProps): ReactElement {
  const navigate = useNavigate();
  switch (reason) {
    case 'sign_in':
      return (
        <Banner action={<Button onPress={() => void navigate({ to: '/sign-in' })}>{t('Sign in')}</Button>}>
          {t('Sign in to talk freely with a coach. Guided practices work without an account.')}
        </Banner>
      );
    case 'waiting':
      return (
        <Banner
          action={<Button onPress={() => void navigate({ to: '/waiting' })}>{t('See what happens next')}</Button>}
        >
          {t('You can talk freely with a coach once your access is approved. Guided practices work now.')}
        </Banner>
      );
    case 'taken':
      return (
        <Banner action={<Button onPress={() => void navigate({ to: '/waiting' })}>{t('See what you can do')}</Button>}>
          {t('Your school has ended your access to live coaches. Guided practices still work.')}
        </Banner>
      );
    case 'unconfirmed':
      return (
        <Banner>
          {t(
            'Parley hasn’t reached the server for three days, so it can’t check your access. Connect to the internet. Guided practices still work.',
          )}
        </Banner>
      );
    case 'no_minutes':
      return <QuotaExhaustedBanner sentence={MINUTES_USED_UP_TEXT[mode]} />;
    case 'not_in_plan':
      return (
        <Banner action={<Button onPress={() => void navigate({ to: '/plan' })}>{t('See the plans')}</Button>}>
          {canStartTrial
            ? t('Calls are part of the paid plans and of the free week.')
            : t('Calls are part of the paid plans.')}
        </Banner>
      );
  }
}
