/** What is missing where this Parley has no server, and the way to choose one. */
import { Banner, Button } from '@parley/ui';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';

export function NoServer({ children }: { children: string }): ReactElement {
  const navigate = useNavigate();
  return (
    <Banner
      action={
        <Button onPress={() => void navigate({ to: '/settings', search: { part: 'server' } })}>Choose a server</Button>
      }
    >
      {children}
    </Banner>
  );
}
