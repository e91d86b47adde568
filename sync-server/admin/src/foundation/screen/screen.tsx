/** The layout of every screen: a title that receives the focus, an introduction and the main action. */
import { t } from '@parley/i18n';
import { Banner, Button } from '@parley/ui';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactElement, type ReactNode, useEffect, useRef } from 'react';
import { errorSentence } from '../api/error-sentence.ts';
import css from './screen.module.css';

export function Screen(props: {
  title: string;
  intro?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}): ReactElement {
  const screen = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = t('{title} · Parley Admin', { title: props.title });
  }, [props.title]);
  useEffect(() => {
    if (screen.current?.contains(document.activeElement) !== true) heading.current?.focus();
  }, []);
  return (
    <div className={css['screen']} ref={screen}>
      <header className={css['header']}>
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {props.title}
          </h1>
          {props.intro !== undefined && <p className={css['intro']}>{props.intro}</p>}
        </div>
        {props.action !== undefined && <div className={css['action']}>{props.action}</div>}
      </header>
      {props.children}
    </div>
  );
}

/**
 * Shows a query's data, or its error with a retry button. Nothing is shown while loading takes less than a second,
 * because a flash of text is distracting.
 */
export function QueryView<Data>(props: {
  query: UseQueryResult<Data>;
  children: (data: Data) => ReactNode;
}): ReactNode {
  const { query } = props;
  if (query.data !== undefined) return props.children(query.data);
  if (query.isError) return <ErrorBanner error={query.error} onRetry={() => void query.refetch()} />;
  return (
    <p role="status" className={css['loading']}>
      {t('Loading…')}
    </p>
  );
}

export const ErrorBanner = ({ error, onRetry }: { error: unknown; onRetry?: () => void }): ReactElement => (
  <Banner
    tone="error"
    {...(onRetry === undefined ? {} : { action: <Button onPress={onRetry}>{t('Try again')}</Button> })}
  >
    {errorSentence(error)}
  </Banner>
);
