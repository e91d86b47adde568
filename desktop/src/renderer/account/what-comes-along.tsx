/** What becomes of the work on this computer when it goes into another account: said before, not found out afterwards. */
import type { AccountState } from '@parley/contract';
import { Address, Quiet } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useHost } from '../app/host-context.tsx';

/** The address whose work is on this computer; null: nobody's yet. */
export const heldBy = (known: AccountState['known']): string | null => known?.account.email ?? null;

/** `to`: the address that is signed in to; null while that is not known, or is not said. */
export function WhatComesAlong({ held, to }: { held: string | null; to: string | null }): ReactElement {
  const { queries } = useHost();
  // What waits grows without a word of it while this device is signed out.
  const status = useQuery(queries.sync.status.queryOptions({ staleTime: 0 })).data;
  if (held === null)
    return (
      <Quiet small>
        What you did here without an account moves into it, and shows on your other computers. The sound of your voice
        stays on this one.
      </Quiet>
    );
  if (held === to) return <Quiet small>What you did here is in this account: you go on with it.</Quiet>;
  // Whoever is signed in still sends what waits before they leave.
  const staysHere = status?.state === 'signed_out' && status.waiting > 0;
  return (
    <Quiet small>
      What <Address>{held}</Address> did here stays in that account, and is shown here again to whoever signs in with
      that address.
      {staysHere && ' Some of it was not sent yet: it waits on this computer, and is sent then.'}
    </Quiet>
  );
}
