/** What becomes of the work on this computer after its account was erased on the server. */
import type { ReactElement } from 'react';
import { dayOf } from '../app/when.ts';

export const Erased = ({ on }: { on: string }): ReactElement => (
  <>
    This account was erased on {dayOf(on)}. What you did stays on this computer. Signing in again begins a new account
    with it.
  </>
);
