/** The screen shown instead of one that does not exist or that failed. */
import { t } from '@parley/i18n';
import { Button } from '@parley/ui';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Screen } from '../foundation/screen/screen.tsx';

export const NotFoundScreen = (): ReactElement => (
  <Screen
    title={t('There’s nothing at this address')}
    intro={t('The link may be old, or something is missing from it.')}
  >
    <p>
      <Link to="/">{t('Go to Home')}</Link>
    </p>
  </Screen>
);

export const ErrorScreen = (): ReactElement => (
  <Screen
    title={t('This screen couldn’t be shown')}
    intro={t('Nothing was changed. Reload the page; if it happens again, tell the person who runs the server.')}
  >
    <Button onPress={() => globalThis.location.reload()}>{t('Reload')}</Button>
  </Screen>
);
