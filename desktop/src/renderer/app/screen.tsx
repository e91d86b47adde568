/** What every screen has: a title that takes the focus where no field does, and honest states of waiting and failing. */
import { Banner, Button, Row, Skeleton, Stack } from '@parley/ui';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactElement, type ReactNode, useEffect, useRef } from 'react';
import { errorSentence, mayWorkLater } from './error-sentence.ts';
import css from './frame.module.css';

export function Screen(props: {
  title: string;
  intro?: string;
  action?: ReactNode;
  children: ReactNode;
}): ReactElement {
  const screen = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${props.title} · Parley`;
    // A field that asked for the focus has it already: parts come before their screen.
    if (screen.current?.contains(document.activeElement) !== true) heading.current?.focus();
  }, [props.title]);
  return (
    <div className={css['screen']} ref={screen}>
      <header>
        <Row spread>
          <h1 ref={heading} tabIndex={-1}>
            {props.title}
          </h1>
          {props.action}
        </Row>
        {props.intro !== undefined && <p className={css['intro']}>{props.intro}</p>}
      </header>
      <Stack>{props.children}</Stack>
    </div>
  );
}

/** Shows an answer when it is there, and says what is going on when it is not. */
export function Answered<Data>(props: {
  query: UseQueryResult<Data>;
  waiting: string;
  children: (data: Data) => ReactNode;
}): ReactNode {
  const { query } = props;
  if (query.data !== undefined) return props.children(query.data);
  if (query.isError) return <FailureBanner error={query.error} onRetry={() => void query.refetch()} />;
  return <Skeleton label={props.waiting} />;
}

export function FailureBanner({ error, onRetry }: { error: unknown; onRetry?: () => void }): ReactElement {
  const retry = mayWorkLater(error) ? onRetry : undefined;
  return (
    <Banner tone="error" action={retry === undefined ? undefined : <Button onPress={retry}>Try again</Button>}>
      {errorSentence(error)}
    </Banner>
  );
}
