/** The remaining minutes of the learner's plan. */
import { t } from '@parley/i18n';
import type { AccountView } from '@parley/contract';
import { MutedText, Row, Stack } from '@parley/ui';
import type { ReactElement } from 'react';
import { formatDateTime, formatMinuteCount, formatMinutes } from '../../foundation/sentences/format-date.ts';
import css from '../account.module.css';

type Minutes = Pick<AccountView, 'plan' | 'live' | 'calls' | 'resetsAt'> & {
  subscription: Pick<NonNullable<AccountView['subscription']>, 'endsAt'> | null;
};

export function RemainingMinutes({ account }: { account: Minutes }): ReactElement {
  const { plan, live, calls, resetsAt } = account;
  // A subscription that has ended stays on record, and the free minutes never end.
  const endsAt = plan === 'FREE' ? null : (account.subscription?.endsAt ?? null);
  if (live === null || calls === null) return <MutedText>{t('Minutes aren’t limited on this server.')}</MutedText>;
  return (
    <Stack tight>
      <AllowanceBar name={t('Live conversation')} minutes={live} />
      {calls.allowedS === 0 ? (
        <MutedText small>{t('Calls aren’t included in this plan.')}</MutedText>
      ) : (
        <AllowanceBar name={t('Calls included')} minutes={calls} />
      )}
      {resetsAt !== null && (endsAt === null || new Date(resetsAt) < new Date(endsAt)) && (
        <MutedText small>{t('Your minutes renew on {resetsAt}.', { resetsAt: formatDateTime(resetsAt) })}</MutedText>
      )}
    </Stack>
  );
}

function AllowanceBar({ name, minutes }: { name: string; minutes: { allowedS: number; leftS: number } }): ReactElement {
  const { allowedS, leftS } = minutes;
  if (allowedS === 0) return <MutedText small>{t('{name}: not in this plan.', { name })}</MutedText>;
  return (
    <div>
      <Row spread>
        <span>{name}</span>
        <strong>
          {t('{leftS} of {allowedS} left', { leftS: formatMinuteCount(leftS), allowedS: formatMinutes(allowedS) })}
        </strong>
      </Row>
      <progress
        value={leftS}
        max={allowedS}
        aria-label={t('{name}: {leftS} left', { name, leftS: formatMinutes(leftS) })}
        className={css['left']}
      />
    </div>
  );
}
