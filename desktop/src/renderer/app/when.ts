/** Moments as a learner reads them. */

/** A day and a time, in the learner's own zone. */
export const whenOf = (iso: string): string =>
  new Date(iso).toLocaleString('en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
  });
