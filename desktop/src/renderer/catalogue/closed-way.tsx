/** Why a way of holding a practice is closed now, and what opens it. */
import { Banner, Button } from '@parley/ui';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { WhyClosed } from '../app/open-ways.ts';
import { QuotaOut } from '../app/quota-out.tsx';

export interface ClosedWayProps {
  way: 'live' | 'call';
  why: WhyClosed;
  /** Whether this account may have the free week. */
  mayTry: boolean;
}

const USED_UP = {
  live: 'Your live minutes are used up. In writing the coach answers freely without them.',
  call: 'Your minutes for calls are used up. One by one works.',
} as const;

export function ClosedWay({ way, why, mayTry }: ClosedWayProps): ReactElement {
  const navigate = useNavigate();
  switch (why) {
    case 'sign_in':
      return (
        <Banner action={<Button onPress={() => void navigate({ to: '/sign-in' })}>Sign in</Button>}>
          A coach who answers freely is for learners who are signed in. The script works without.
        </Banner>
      );
    case 'waiting':
      return (
        <Banner action={<Button onPress={() => void navigate({ to: '/waiting' })}>What happens next</Button>}>
          A coach who answers freely has to wait until you are let in. The script works now.
        </Banner>
      );
    case 'taken':
      return (
        <Banner action={<Button onPress={() => void navigate({ to: '/waiting' })}>What can be done</Button>}>
          Your access to this server was taken away, and a coach who answers freely with it. The script works.
        </Banner>
      );
    case 'unconfirmed':
      return (
        <Banner>
          The server was not reached for three days, so nobody knows whether a coach who answers freely is still yours.
          Go online once. The script works without.
        </Banner>
      );
    case 'no_minutes':
      return <QuotaOut sentence={USED_UP[way]} />;
    case 'not_in_plan':
      return (
        <Banner action={<Button onPress={() => void navigate({ to: '/plan' })}>See the plans</Button>}>
          Calls are part of the paid plans{mayTry && ', and of the free week'}.
        </Banner>
      );
  }
}
