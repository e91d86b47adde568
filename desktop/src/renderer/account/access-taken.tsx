/** Somebody had access, and it was taken away: when, and why. */
import type { AccountView } from '@parley/contract';
import { Banner, Button } from '@parley/ui';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { dayOf } from '../app/when.ts';

type Taken = NonNullable<AccountView['accessTaken']>;

export function AccessTaken({ taken, leadsOn = false }: { taken: Taken; leadsOn?: boolean }): ReactElement {
  const navigate = useNavigate();
  const ask = <Button onPress={() => void navigate({ to: '/waiting' })}>Ask to be let in again</Button>;
  return (
    <Banner tone="warn" action={leadsOn ? ask : undefined}>
      The people who run this Parley took your access away on {dayOf(taken.at)}.
      {taken.reason !== null && ` Their reason: “${taken.reason.replace(/[.\s]+$/, '')}”.`} What you did stays yours.
    </Banner>
  );
}
