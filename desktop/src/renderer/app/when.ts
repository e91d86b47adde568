/** Moments, and lengths of time, as a learner reads them. */

/** A day and a time, in the learner's own zone. */
export const whenOf = (iso: string): string =>
  new Date(iso).toLocaleString('en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
  });

export const dayOf = (iso: string): string => new Date(iso).toLocaleDateString('en-GB', { dateStyle: 'long' });

/** Whole minutes, as they are promised, where the word stands elsewhere. */
export const countOf = (seconds: number): string => Math.floor(seconds / 60).toLocaleString('en-GB');

export const minutesOf = (seconds: number): string =>
  `${countOf(seconds)} ${Math.floor(seconds / 60) === 1 ? 'minute' : 'minutes'}`;
