/** What the system's tray shows, and the daily reminder. */
import type { TrayState, TrayTexts } from '@parley/contract';
import { localDayFormatter, localTimeOf, type ToLocalDay } from '@parley/domain';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { countDue, reviewDays } from '../review/index.ts';
import type { Settings } from '../settings/index.ts';
import { isAnswered, lastAnswerAtMs, practiceHistory, type Store } from '../store/index.ts';
import { isReminderDue } from './is-reminder-due.ts';

export interface Tray {
  setTexts(texts: TrayTexts): void;
  /** Null before the first window has brought its texts. A reminder in it counts as shown. */
  read(): TrayState | null;
}

export interface TrayParts {
  store: Store;
  settings: Pick<Settings, 'read' | 'updateDevice'>;
}

export function createTray({ store, settings }: TrayParts): Tray {
  const toLocalDay: ToLocalDay = (at) => localDayFormatter(store.timeZone())(at);
  let texts: TrayTexts | null = null;

  /** A session that goes on counts as well, so that the learner is not reminded in the middle of it. */
  function hasPractisedOn(day: string): boolean {
    const newest = store.db
      .select({ atMs: sql<number | null>`max(${lastAnswerAtMs})` })
      .from(practiceHistory)
      .where(and(eq(practiceHistory.userId, store.identity().userId), isNull(practiceHistory.deletedAt), isAnswered))
      .get();
    const atMs = newest?.atMs ?? null;
    return (atMs !== null && toLocalDay(new Date(atMs)) === day) || reviewDays(store).includes(day);
  }

  function takeReminder(words: TrayTexts, wordsDue: number): TrayState['reminder'] {
    const { reminderAt, remindedOn } = settings.read().device;
    if (reminderAt === null) return null;
    const now = store.clock.now();
    const today = toLocalDay(now);
    const time = localTimeOf(now, store.timeZone());
    if (!isReminderDue({ reminderAt, remindedOn, today, time, hasPractisedToday: hasPractisedOn(today) })) return null;
    settings.updateDevice({ remindedOn: today });
    return { title: words.reminderTitle, body: wordsDue > 0 ? words.reminderToReview : words.reminderToPractise };
  }

  return {
    setTexts(words) {
      texts = words;
    },
    read() {
      if (texts === null) return null;
      const { showTray, launchAtLogin } = settings.read().device;
      const wordsDue = countDue(store);
      return { showTray, launchAtLogin, wordsDue, texts, reminder: takeReminder(texts, wordsDue) };
    },
  };
}
