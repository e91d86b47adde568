/** For an address that leads nowhere, and for a screen that broke. */
import { Button, EmptyState } from '@parley/ui';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Screen } from './screen.tsx';

export function NotFoundScreen(): ReactElement {
  return (
    <Screen title="Nothing here">
      <EmptyState title="This page does not exist" action={<Link to="/">Go to Today</Link>}>
        It may have moved, or the address has a mistake in it.
      </EmptyState>
    </Screen>
  );
}

/** A mistake of ours: nothing that was said is touched by it. */
export function BrokenScreen({ reset }: { reset: () => void }): ReactElement {
  return (
    <Screen title="This screen broke">
      <EmptyState
        title="Something went wrong on this screen"
        action={
          <Button look="primary" onPress={reset}>
            Show it again
          </Button>
        }
      >
        Your words are safe. If it happens again, open another screen and come back.
      </EmptyState>
    </Screen>
  );
}
