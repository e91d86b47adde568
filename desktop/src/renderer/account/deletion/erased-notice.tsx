/** Says what happens to the work on this computer after its account was erased. */
import { t } from '@parley/i18n';
import type { ReactElement } from 'react';
import { formatDate } from '../../foundation/sentences/format-date.ts';

export const ErasedNotice = ({ on }: { on: string }): ReactElement => (
  <>
    {t(
      'This account was erased on {on}. What you did stays on this computer. Signing in again starts a new account with it.',
      { on: formatDate(on) },
    )}
  </>
);
