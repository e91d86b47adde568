/** Plans what happens to the servers in one day: mail runs by one or two nodes, crashes, and late or lost payment events. */
import { crashWhileSending } from './crash-while-sending.ts';
import type { AccountScript } from './account-script.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from './wall-clock.ts';
import { noteLatePayment, nowMs, randomNode, providerStateOf, type SimulatedYear } from './simulated-year.ts';

const MAIL_RUNS = 8;
const ERASE_AFTER_MS = 30 * DAY_MS;

export function planServerDay(year: SimulatedYear, dayMs: number): void {
  const { schedule, random, fixture } = year;
  const randomTime = (fromMs: number, withinMs: number): number =>
    fromMs + random.integer(0, withinMs / SECOND_MS - 1) * SECOND_MS;
  for (let round = 0; round < MAIL_RUNS; round += 1)
    schedule.add(randomTime(dayMs + (round * DAY_MS) / MAIL_RUNS, DAY_MS / MAIL_RUNS), () => runMail(year));
  for (const hour of [3, 15]) schedule.add(randomTime(dayMs + hour * HOUR_MS, HOUR_MS), () => eraseDueAccounts(year));
  if (random.isWithinPercent(4)) {
    const awayMs = randomTime(dayMs, DAY_MS / 2);
    schedule.add(awayMs, async () => void (year.isMailDown = true));
    schedule.add(randomTime(awayMs, 12 * HOUR_MS), async () => void (year.isMailDown = false));
  }
  if (random.isWithinPercent(12)) planEventOutage(year, randomTime(dayMs, DAY_MS / 2), random.integer(1, 11) * HOUR_MS);
  else
    schedule.add(randomTime(dayMs, DAY_MS), async () => {
      // Some events are delivered twice, as a provider may do.
      for (const { eventId, type } of random.shuffled(fixture.stripeFake.deliveries.all().slice(-8)).slice(0, 2))
        if (type !== 'forgotten') await fixture.stripeFake.deliveries.redeliver(eventId);
    });
}

async function runMail(year: SimulatedYear): Promise<void> {
  const { random, fixture } = year;
  const [first, second] = random.shuffled(fixture.nodes);
  if (first === undefined || second === undefined) return;
  if (random.isWithinPercent(15)) {
    await Promise.all([first.mail.remind(), second.mail.remind()]);
    await Promise.all([first.mail.sendDue(), second.mail.sendDue()]);
    return;
  }
  await first.mail.remind();
  if (random.isWithinPercent(4)) await crashWhileSending(year, first);
  await second.mail.sendDue();
}

/** Reconciles as the server does every hour. When all events have arrived, nothing must need repair. */
export async function reconcileAtNight(year: SimulatedYear): Promise<void> {
  const { accounts, findings } = year;
  if (accounts.some(({ possibleStates }) => possibleStates !== null)) return;
  const { repaired } = await randomNode(year).billing.reconcile();
  findings.expect(
    repaired === 0,
    null,
    () => `${repaired} subscriptions were out of date although every event had arrived`,
  );
}

async function reconcile(year: SimulatedYear): Promise<void> {
  const { repaired } = await randomNode(year).billing.reconcile();
  year.findings.counts.reconciled += repaired;
}

/**
 * For some hours, payment events are late, fail or are lost. Afterwards, the events or reconciliation repair the state.
 */
function planEventOutage(year: SimulatedYear, fromMs: number, forMs: number): void {
  const { schedule, random, fixture, accounts } = year;
  const { deliveries } = fixture.stripeFake;
  const kind = random.pick(['late', 'lost', 'down']);
  schedule.add(fromMs, async () => {
    await deliveries.settled();
    for (const script of accounts) {
      noteLatePayment(year, script, providerStateOf(year, script)?.pastDueSinceMs ?? 0);
      script.possibleStates = [providerStateOf(year, script)];
    }
    if (kind === 'late') deliveries.hold();
    else fixture.setWebhookMode(kind);
  });
  schedule.add(fromMs + forMs, async () => {
    if (kind === 'late') {
      const order = random.shuffled(deliveries.held().map(({ id }) => id));
      await deliveries.release(order);
      await deliveries.resume();
    } else fixture.setWebhookMode('open');
    await deliveries.settled();
    if (kind !== 'late') await reconcile(year);
    for (const script of accounts) {
      noteLatePayment(year, script, nowMs(year));
      script.possibleStates = null;
    }
  });
}

async function eraseDueAccounts(year: SimulatedYear): Promise<void> {
  const { findings, accounts, fixture, random } = year;
  const now = nowMs(year);
  const due = accounts.filter((script) => isDue(script, now));
  const runs = await Promise.all(random.isWithinPercent(30) ? [fixture.erase(), fixture.erase()] : [fixture.erase()]);
  const erased = runs.reduce((sum, count) => sum + count, 0);
  findings.expect(erased === due.length, null, () => `${erased} accounts were erased, ${due.length} were due`);
  for (const script of due) script.erasedMs = now;
  findings.counts.erased += erased;
}

const isDue = ({ deletionRequestedMs, erasedMs }: AccountScript, now: number): boolean =>
  erasedMs === null && deletionRequestedMs !== null && now >= deletionRequestedMs + ERASE_AFTER_MS;
