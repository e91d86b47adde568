/** The screens for an unknown address and for a screen that failed to render. */
import { t } from '@parley/i18n';
import { Button, EmptyState } from '@parley/ui';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Screen } from '../foundation/screen/screen.tsx';

export function NotFoundScreen(): ReactElement {
  return (
    <Screen title={t('Page not found')}>
      <EmptyState title={t('This page doesn’t exist')} action={<Link to="/">{t('Go to Today')}</Link>}>
        {t('It may have moved, or the address has a mistake in it.')}
      </EmptyState>
    </Screen>
  );
}

/** Shown when a screen throws; the learner's data is not affected. */
export function ErrorScreen({ reset }: { reset: () => void }): ReactElement {
  return (
    <Screen title={t('Something went wrong')}>
      <EmptyState
        title={t('Something went wrong on this screen')}
        action={
          <Button variant="primary" onPress={reset}>
            {t('Show it again')}
          </Button>
        }
      >
        {t('Your work is safe. If this happens again, open another screen and come back.')}
      </EmptyState>
    </Screen>
  );
}
