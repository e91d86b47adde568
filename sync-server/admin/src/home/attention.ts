/** Texts for the items that wait on Home. */
import { t } from '@parley/i18n';
import type { AdminOverview } from '@parley/contract';

/** All crash reports together are one item. */
export const countWaiting = ({ access, mail, payments, reports, crashes, posts }: AdminOverview['waiting']): number =>
  access + mail + payments + reports + Math.min(1, crashes) + posts;

export const homeTitle = (waiting: AdminOverview['waiting']): string =>
  t(
    '{count, plural, =0 {Nothing needs your attention} one {One thing needs your attention} =2 {Two things need your attention} =3 {Three things need your attention} =4 {Four things need your attention} =5 {Five things need your attention} =6 {Six things need your attention} other {# things need your attention}}',
    { count: countWaiting(waiting) },
  );

export const requestCount = (count: number): string =>
  t('{count, plural, one {One request} other {# requests}}', { count });
export const grantLabel = (count: number): string =>
  t('{count, plural, one {Approve this learner} other {Approve all #}}', { count });
