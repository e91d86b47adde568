/** The layout of every screen: a title that receives the focus, and the loading and error states of its query. */
import { t } from '@parley/i18n';
import { Row, Skeleton, Stack } from '@parley/ui';
import type { UseQueryResult } from '@tanstack/react-query';
import { lazy, type ReactElement, type ReactNode, Suspense, useEffect, useRef } from 'react';
import type { ErrorBannerProps } from './error-banner.tsx';
import css from './screen.module.css';

export function Screen(props: {
  title: string;
  /** A practice's title is in English in every language. */
  isTitleEnglish?: boolean;
  intro?: ReactNode;
  action?: ReactNode;
  /** A conversation fills the window: its header and dock stay, and only the script between them scrolls. */
  layout?: 'page' | 'talk';
  children: ReactNode;
}): ReactElement {
  const isTalk = props.layout === 'talk';
  const screen = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = pageTitle(props.title);
    // Child effects run first, so a field with autoFocus already has the focus here.
    if (screen.current?.contains(document.activeElement) !== true) heading.current?.focus();
  }, [props.title]);
  return (
    <div className={isTalk ? css['talk'] : css['screen']} data-layout={props.layout} ref={screen}>
      <header className={isTalk ? css['bar'] : undefined}>
        <Row spread>
          <h1 ref={heading} tabIndex={-1} lang={props.isTitleEnglish === true ? 'en' : undefined}>
            {props.title}
          </h1>
          {props.action}
        </Row>
        {props.intro !== undefined && !isTalk && <p className={css['intro']}>{props.intro}</p>}
      </header>
      {isTalk ? props.children : <Stack>{props.children}</Stack>}
    </div>
  );
}

/** The loading or error state of a conversation, which has the margins of its header. */
export const TalkState = ({ children }: { children: ReactNode }): ReactElement => (
  <div className={css['talkState']}>{children}</div>
);

/** The title of the window. A screen that is named after the product needs no suffix. */
export const pageTitle = (title: string): string => (title === 'Parley' ? title : `${title} · Parley`);

/** The possible reasons why a response takes more than two seconds, by its source. */
const SLOW_REASONS = {
  computer: t('Your computer is busy, or there’s a lot to read.'),
  server: t('Your server is slow to answer. What’s on this computer works without it.'),
  download: t('If it isn’t on this device yet, it’s being downloaded.'),
} as const;

/** Shows a query's data, its error with a retry, or a loading state. */
export function QueryView<Data>(props: {
  query: UseQueryResult<Data>;
  loadingLabel: string;
  comesFrom?: keyof typeof SLOW_REASONS;
  children: (data: Data) => ReactNode;
}): ReactNode {
  const { query } = props;
  if (query.data !== undefined) return props.children(query.data);
  if (query.isError) return <ErrorBanner error={query.error} onRetry={() => void query.refetch()} />;
  return <Loading label={props.loadingLabel} comesFrom={props.comesFrom ?? 'computer'} />;
}

export const Loading = (props: { label: string; comesFrom: keyof typeof SLOW_REASONS }): ReactElement => (
  <Skeleton label={props.label} reason={SLOW_REASONS[props.comesFrom]} />
);

const LoadedErrorBanner = lazy(async () => ({ default: (await import('./error-banner.tsx')).ErrorBanner }));

/** The messages for errors are loaded with the first error. */
export const ErrorBanner = (props: ErrorBannerProps): ReactElement => (
  <Suspense>
    <LoadedErrorBanner {...props} />
  </Suspense>
);
