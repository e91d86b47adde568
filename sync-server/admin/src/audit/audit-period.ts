/** Turns the days of the filter into times. Days begin at midnight where the admin is, as the times in the list do. */

const midnight = (day: string, daysLater = 0): Date => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + daysLater);
};

/** Both days are included. A day that cannot be read filters nothing, because addresses are typed and shortened. */
export function auditPeriod({ from, until }: { from: string | undefined; until: string | undefined }): {
  from?: string;
  until?: string;
} {
  const [start, end] = [from, until].map((day) => (/^\d{4}-\d\d-\d\d$/.test(day ?? '') ? day : undefined));
  return {
    ...(start === undefined ? {} : { from: midnight(start).toISOString() }),
    ...(end === undefined ? {} : { until: midnight(end, 1).toISOString() }),
  };
}
