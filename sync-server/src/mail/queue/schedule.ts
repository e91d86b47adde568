/** Sends queued mails soon and looks for due reminders every ten minutes. */
import type { PeriodicJob } from '../../jobs/index.ts';
import type { Mail } from '../mail.ts';

/**
 * Delays after a mail was enqueued, because its transaction may take a moment to commit. The job that runs every minute
 * sends any mail that is still queued.
 */
const SEND_DELAYS_MS = [150, 1_000, 5_000];
/** A mail server may stay silent for a minute, but a server that takes that long to stop is killed. */
const STOP_WITHIN_MS = 10_000;
/** For storing what became of the mails that were given up. */
const STORE_WITHIN_MS = 2_000;

export interface MailSchedule {
  /** Run by one node at a time. */
  periodic: readonly PeriodicJob[];
  /** Sends what a stopped server has left, and from then on each mail soon after it was enqueued. */
  start: () => void;
  /** Gives mails that are being sent ten seconds, and leaves the others to the next start. */
  stop: () => Promise<void>;
}

export interface ScheduleParts {
  mail: Pick<Mail, 'renameFormerStates' | 'sendDue' | 'remind' | 'onEnqueued'>;
  onError: (error: unknown) => void;
}

export function createMailSchedule({ mail, onError }: ScheduleParts): MailSchedule {
  const stopping = new AbortController();
  const { signal } = stopping;
  const givingUp = new AbortController();
  const send = runOneAtATime(async () => void (await mail.sendDue({ signal, giveUp: givingUp.signal })), onError);
  const takeOver = runOneAtATime(() => mail.renameFormerStates(), onError);
  const sendAll = async (): Promise<void> => {
    await takeOver();
    await send();
  };
  const remind = runOneAtATime(async () => {
    if ((await mail.remind(signal)) > 0) await send();
  }, onError);
  const job = { policy: 'stately', runsAtStart: false } as const;
  const timerByMs = new Map<number, NodeJS.Timeout>();
  const sendSoon = (): void => {
    for (const ms of signal.aborted ? [] : SEND_DELAYS_MS) {
      if (timerByMs.has(ms)) continue;
      const timer = setTimeout(() => {
        timerByMs.delete(ms);
        void send();
      }, ms);
      timerByMs.set(ms, timer);
    }
  };

  return {
    periodic: [
      { ...job, name: 'mail.send', cron: '* * * * *', run: sendAll },
      { ...job, name: 'mail.remind', cron: '*/10 * * * *', run: remind },
    ],
    start: () => {
      mail.onEnqueued(sendSoon);
      void sendAll();
    },
    stop: async () => {
      stopping.abort();
      for (const timer of timerByMs.values()) clearTimeout(timer);
      const { promise: isLate, resolve: stopWaiting } = Promise.withResolvers<void>();
      const giveUpTimer = setTimeout(() => givingUp.abort(), STOP_WITHIN_MS).unref();
      const lateTimer = setTimeout(stopWaiting, STOP_WITHIN_MS + STORE_WITHIN_MS).unref();
      await Promise.race([Promise.all([send(), remind()]), isLate]);
      clearTimeout(giveUpTimer);
      clearTimeout(lateTimer);
    },
  };
}

/** A call during a run schedules one more run and waits for it. */
function runOneAtATime(work: () => Promise<void>, onError: (error: unknown) => void): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;
  return () => {
    next ??= running.then(async () => {
      next = null;
      running = work().catch(onError);
      await running;
    });
    return next;
  };
}
