/** If the computer wakes up later than this after the chosen time, the reminder is skipped that day. */
const LATEST_MINUTES = 180;

export interface ReminderSituation {
  /** `HH:MM`; null when the learner wants no reminder. */
  reminderAt: string | null;
  /** The learner's current day and time, as `YYYY-MM-DD` and `HH:MM`. */
  today: string;
  time: string;
  /** The day of the last reminder. */
  remindedOn: string | null;
  hasPractisedToday: boolean;
}

export function isReminderDue(situation: ReminderSituation): boolean {
  const { reminderAt, today, time, remindedOn, hasPractisedToday } = situation;
  if (reminderAt === null || remindedOn === today || hasPractisedToday) return false;
  const lateMinutes = minutesOf(time) - minutesOf(reminderAt);
  return lateMinutes >= 0 && lateMinutes <= LATEST_MINUTES;
}

function minutesOf(time: string): number {
  const [hours, minutes] = time.split(':').map(Number);
  return (hours ?? 0) * 60 + (minutes ?? 0);
}
