/** What becomes of the work on this computer when it goes into another account: said before, not found out afterwards. */
import type { AccountState } from '@parley/contract';
import { Address, Quiet } from '@parley/ui';
import type { ReactElement } from 'react';

/** The address whose work is on this computer; null: nobody's yet. */
export const heldBy = (known: AccountState['known']): string | null => known?.account.email ?? null;

/** `to`: the address that is signed in to; null while that is not known, or is not said. */
export function WhatComesAlong({ held, to }: { held: string | null; to: string | null }): ReactElement {
  if (held === null)
    return (
      <Quiet small>
        What you did here without an account moves into it, and shows on your other computers. The sound of your voice
        stays on this one.
      </Quiet>
    );
  if (held === to) return <Quiet small>What you did here is in this account: you go on with it.</Quiet>;
  return (
    <Quiet small>
      What <Address>{held}</Address> did here stays in that account, and is shown here again to whoever signs in with
      that address.
    </Quiet>
  );
}
