/** The layout of every screen: a title that receives the focus, and the loading and error states of its query. */
import { Row, Skeleton, Stack } from '@parley/ui';
import type { UseQueryResult } from '@tanstack/react-query';
import { lazy, type ReactElement, type ReactNode, Suspense, useEffect, useRef } from 'react';
import type { ErrorBannerProps } from './error-banner.tsx';
import css from './screen.module.css';

export function Screen(props: {
  title: string;
  /** The title of a practice is English in every language. */
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

/** The title of the window. A screen that is named after the product needs no suffix. */
export const pageTitle = (title: string): string => (title === 'Parley' ? title : `${title} · Parley`);

/** Shows a query's data, its error with a retry, or a loading state. */
export function QueryView<Data>(props: {
  query: UseQueryResult<Data>;
  loadingLabel: string;
  children: (data: Data) => ReactNode;
}): ReactNode {
  const { query } = props;
  if (query.data !== undefined) return props.children(query.data);
  if (query.isError) return <ErrorBanner error={query.error} onRetry={() => void query.refetch()} />;
  return <Skeleton label={props.loadingLabel} />;
}

const LoadedErrorBanner = lazy(async () => ({ default: (await import('./error-banner.tsx')).ErrorBanner }));

/** The sentences for errors are loaded with the first error. */
export const ErrorBanner = (props: ErrorBannerProps): ReactElement => (
  <Suspense>
    <LoadedErrorBanner {...props} />
  </Suspense>
);
