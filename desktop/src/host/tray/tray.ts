/** The system's tray menu, and the daily reminder. */
import type { TrayState, TrayTexts } from '@parley/contract';
import { type LocalDay, localDayFormatter, localTimeOf } from '@parley/domain';
import { countDue, practisedDays, readDayTotals } from '../review/index.ts';
import type { Settings } from '../settings/index.ts';
import { practiceByDay, type Store } from '../store/index.ts';
import { isReminderDue } from './is-reminder-due.ts';

export interface Tray {
  setTexts(texts: TrayTexts): void;
  /** Null until the first window has sent its texts. A returned reminder counts as shown. */
  read(): TrayState | null;
}

export interface TrayParts {
  store: Store;
  settings: Pick<Settings, 'read' | 'updateDevice'>;
}

export function createTray({ store, settings }: TrayParts): Tray {
  let texts: TrayTexts | null = null;

  /** A session in progress counts as practice, so that the learner is not reminded in the middle of it. */
  const hasPractisedOn = (day: LocalDay): boolean => {
    const practice = practiceByDay(store);
    return practice.has(day) || practisedDays(practice, readDayTotals(store)).has(day);
  };

  function takeReminder(words: TrayTexts, wordsDue: number): TrayState['reminder'] {
    const { reminderAt, remindedOn } = settings.read().device;
    if (reminderAt === null) return null;
    const now = store.clock.now();
    const today = localDayFormatter(store.timeZone())(now);
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
