/** A learner's local time by `Intl` alone, so that it does not depend on the code under test. */

export interface WallClock {
  /** A day such as `2027-03-14`. */
  dayOf: (ms: number) => string;
  /** Minutes since midnight by the local clock. */
  minutesOf: (ms: number) => number;
}

export const SECOND_MS = 1_000;
export const MINUTE_MS: number = 60 * SECOND_MS;
export const HOUR_MS: number = 60 * MINUTE_MS;
export const DAY_MS: number = 24 * HOUR_MS;

const clocks = new Map<string, WallClock>();

export function wallClock(zone: string): WallClock {
  const known = clocks.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const clock: WallClock = {
    dayOf: (ms) => format.format(ms).slice(0, 10),
    minutesOf: (ms) => {
      const [hours = 0, minutes = 0] = format.format(ms).slice(11).split(':').map(Number);
      return hours * 60 + minutes;
    },
  };
  clocks.set(zone, clock);
  return clock;
}

/**
 * Time zones with whole, half and quarter hour offsets, in both hemispheres, with and without summer time, and with a half-hour change
 * (Lord Howe).
 */
export const ZONES = [
  'Europe/Berlin',
  'Europe/London',
  'America/New_York',
  'America/Los_Angeles',
  'America/St_Johns',
  'America/Sao_Paulo',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Asia/Tokyo',
  'Asia/Tehran',
  'Africa/Cairo',
  'Australia/Lord_Howe',
  'Australia/Adelaide',
  'Pacific/Auckland',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'America/Santiago',
] as const;
