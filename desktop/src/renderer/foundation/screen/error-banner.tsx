/** Says what went wrong and what to do next, with a retry button if that can help. */
import { t } from '@parley/i18n';
import { Banner, Button } from '@parley/ui';
import type { ReactElement } from 'react';
import { errorSentence, isWorthRetrying } from '../sentences/error-sentence.ts';

export interface ErrorBannerProps {
  error: unknown;
  onRetry?: () => void;
}

export function ErrorBanner({ error, onRetry }: ErrorBannerProps): ReactElement {
  const retry = isWorthRetrying(error) ? onRetry : undefined;
  return (
    <Banner tone="error" action={retry === undefined ? undefined : <Button onPress={retry}>{t('Try again')}</Button>}>
      {errorSentence(error)}
    </Banner>
  );
}
