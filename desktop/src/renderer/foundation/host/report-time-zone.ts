/** Tells the host the computer's time zone, because on Windows only windows notice that the learner has travelled. */
import type { HostClient } from './host-connection.ts';

const systemTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Reports the zone now, and again when it has changed by the time the window is next shown. */
export function reportTimeZone(
  app: Pick<HostClient['app'], 'reportTimeZone'>,
  document: Pick<Document, 'addEventListener'>,
  readTimeZone: () => string = systemTimeZone,
): void {
  let reported: string | null = null;
  const report = (): void => {
    const timeZone = readTimeZone();
    if (timeZone === reported) return;
    reported = timeZone;
    app.reportTimeZone({ timeZone }).catch(() => {
      // The next visibility change tries again.
      reported = null;
    });
  };
  document.addEventListener('visibilitychange', report);
  report();
}
