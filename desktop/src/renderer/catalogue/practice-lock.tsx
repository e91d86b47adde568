/**
 * Says on the card of a practice without a guided version why it is unavailable now. Its description says what to do.
 */
import { t } from '@parley/i18n';
import { Icon } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { findAvailableModes, type UnavailableReason } from '../foundation/available-modes.ts';
import { useHost } from '../foundation/host/host-context.tsx';
import css from './catalogue.module.css';

/** Writing uses neither minutes nor calls, so missing minutes lock no practice. */
const REASONS: Record<Exclude<UnavailableReason, 'no_minutes' | 'not_in_plan'> | 'none' | 'no_server', string> = {
  sign_in: t('Needs a live coach. Sign in first.'),
  waiting: t('Needs a live coach. Your access isn’t approved yet.'),
  taken: t('Needs a live coach. Your school has ended your access.'),
  unconfirmed: t('Needs a live coach. Connect to the internet to check your access.'),
  none: t('Needs a live coach, and none is connected.'),
  no_server: t('Needs a live coach, and a live coach needs a server.'),
};

export function PracticeLock(): ReactElement | null {
  const { queries } = useHost();
  const offer = useQuery(queries.coach.offer.queryOptions()).data;
  const state = useQuery(queries.account.state.queryOptions()).data;
  if (offer === undefined || state === undefined) return null;
  const { live } = findAvailableModes({ offer, state, style: 'text' });
  if (live === 'open' || live === 'no_minutes' || live === 'not_in_plan') return null;
  return (
    <p className={css['lock']}>
      <Icon name="lock" size={14} />
      <span>{REASONS[live ?? (state.hasServer ? 'none' : 'no_server')]}</span>
    </p>
  );
}
