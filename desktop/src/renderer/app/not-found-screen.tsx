import { EmptyState } from '@parley/ui';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Screen } from './screen.tsx';

/** For an address that leads nowhere. */
export function NotFoundScreen(): ReactElement {
  return (
    <Screen title="Nothing here">
      <EmptyState title="This page does not exist" action={<Link to="/">Go to Today</Link>}>
        It may have moved, or the address has a mistake in it.
      </EmptyState>
    </Screen>
  );
}
