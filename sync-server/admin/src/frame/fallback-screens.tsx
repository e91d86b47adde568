/** What is shown instead of a screen that does not exist or that failed. */
import { Button } from '@parley/ui';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Screen } from '../foundation/screen/screen.tsx';

export const NotFoundScreen = (): ReactElement => (
  <Screen title="There is nothing at this address" intro="The link may be old, or something is missing from it.">
    <p>
      <Link to="/">Go to Home</Link>
    </p>
  </Screen>
);

export const ErrorScreen = (): ReactElement => (
  <Screen
    title="This screen could not be shown"
    intro="Nothing was changed. Reload the page; if it happens again, tell the person who runs the server."
  >
    <Button onPress={() => globalThis.location.reload()}>Reload</Button>
  </Screen>
);
