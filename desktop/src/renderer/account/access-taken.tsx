/** Somebody had access, and it was taken away: when, and why. */
import type { AccountView } from '@parley/contract';
import { Banner } from '@parley/ui';
import type { ReactElement } from 'react';
import { dayOf } from './money.ts';

export const AccessTaken = ({ taken }: { taken: NonNullable<AccountView['accessTaken']> }): ReactElement => (
  <Banner tone="warn">
    The people who run this Parley took your access away on {dayOf(taken.at)}.
    {taken.reason !== null && <> Their reason: “{taken.reason}”.</>} What you did stays yours.
  </Banner>
);
