/**
 * Converts the days of the filter into times. Days begin at midnight in the panel's time zone, like the times in the
 * list.
 */
import { isDayOfChoice } from '@parley/domain';
import { fromFieldTime } from '../foundation/screen/time-zone.ts';

const DAY_MS = 86_400_000;

const midnight = (day: string): string => fromFieldTime(`${day}T00:00`);
const nextDay = (day: string): string => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
const isDay = (day: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day)) && isDayOfChoice(day);

/** Both days are included. An invalid day is ignored, because addresses are typed and shortened. */
export const auditPeriod = ({
  from = '',
  until = '',
}: {
  from: string | undefined;
  until: string | undefined;
}): { from?: string; until?: string } => ({
  ...(isDay(from) && { from: midnight(from) }),
  ...(isDay(until) && { until: midnight(nextDay(until)) }),
});
