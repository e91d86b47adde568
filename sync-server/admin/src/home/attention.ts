/** Words for what waits on Home. */
import { t } from '@parley/i18n';
import type { AdminOverview } from '@parley/contract';

/** All crash reports together are one thing to look at. */
export const countWaiting = ({ access, mail, payments, crashes }: AdminOverview['waiting']): number =>
  access + mail + payments + Math.min(1, crashes);

export const homeTitle = (waiting: AdminOverview['waiting']): string =>
  t(
    '{count, plural, =0 {Nothing needs you} one {One thing needs you} =2 {Two things need you} =3 {Three things need you} =4 {Four things need you} =5 {Five things need you} =6 {Six things need you} other {# things need you}}',
    { count: countWaiting(waiting) },
  );

export const requestCount = (count: number): string =>
  t('{count, plural, one {One request} other {# requests}}', { count });
export const grantLabel = (count: number): string =>
  t('{count, plural, one {Let this learner in} other {Let all # in}}', { count });
