/** What happens to the servers themselves on a day: rounds of mail, by two at once, by one that dies; word of payments that comes late or never. */
import { dieSending } from './die-sending.ts';
import type { Life } from './life.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from './wall-clock.ts';
import { nowMs, someNode, truthOf, type Year } from './year.ts';

const ROUNDS = 8;
const ERASE_AFTER_MS = 30 * DAY_MS;

export function planServerDay(year: Year, dayMs: number): void {
  const { agenda, chance, stage } = year;
  const some = (fromMs: number, withinMs: number): number =>
    fromMs + chance.whole(0, withinMs / SECOND_MS - 1) * SECOND_MS;
  for (let round = 0; round < ROUNDS; round += 1)
    agenda.add(some(dayMs + (round * DAY_MS) / ROUNDS, DAY_MS / ROUNDS), () => mailRound(year));
  for (const hour of [3, 15]) agenda.add(some(dayMs + hour * HOUR_MS, HOUR_MS), () => erase(year));
  if (chance.inPercent(4)) {
    const awayMs = some(dayMs, DAY_MS / 2);
    agenda.add(awayMs, async () => void (year.isMailAway = true));
    agenda.add(some(awayMs, 12 * HOUR_MS), async () => void (year.isMailAway = false));
  }
  if (chance.inPercent(12)) planTrouble(year, some(dayMs, DAY_MS / 2), chance.whole(1, 11) * HOUR_MS);
  else
    agenda.add(some(dayMs, DAY_MS), async () => {
      // Told twice, as a provider may.
      for (const { eventId, type } of chance.shuffled(stage.twin.deliveries.all().slice(-8)).slice(0, 2))
        if (type !== 'forgotten') await stage.twin.deliveries.sendAgain(eventId);
    });
}

async function mailRound(year: Year): Promise<void> {
  const { chance, stage } = year;
  const [first, second] = chance.shuffled(stage.nodes);
  if (first === undefined || second === undefined) return;
  if (chance.inPercent(15)) {
    await Promise.all([first.mail.remind(), second.mail.remind()]);
    await Promise.all([first.mail.sendDue(), second.mail.sendDue()]);
    return;
  }
  await first.mail.remind();
  if (chance.inPercent(4)) await dieSending(year, first);
  await second.mail.sendDue();
}

/** As it is done every hour. Where word came in time, there is nothing to repair. */
export async function reconcileAtNight(year: Year): Promise<void> {
  const { lives, findings } = year;
  if (lives.some(({ believed }) => believed !== null)) return;
  const { repaired } = await someNode(year).billing.reconcile();
  findings.expect(repaired === 0, null, () => `${repaired} subscriptions were wrong although each event had come`);
}

async function reconcile(year: Year): Promise<void> {
  const { repaired } = await someNode(year).billing.reconcile();
  year.findings.counts.reconciled += repaired;
}

/** For some hours, word from the provider waits, fails or gets lost; then all is made good, in the way that is open. */
function planTrouble(year: Year, fromMs: number, forMs: number): void {
  const { agenda, chance, stage, lives } = year;
  const { deliveries } = stage.twin;
  const kind = chance.pick(['late', 'lost', 'down']);
  agenda.add(fromMs, async () => {
    await deliveries.settled();
    for (const life of lives) life.believed = [truthOf(year, life)];
    if (kind === 'late') deliveries.hold();
    else stage.setLine(kind);
  });
  agenda.add(fromMs + forMs, async () => {
    if (kind === 'late') {
      const order = chance.shuffled(deliveries.held().map(({ id }) => id));
      await deliveries.release(order);
      await deliveries.resume();
    } else stage.setLine('open');
    await deliveries.settled();
    if (kind !== 'late') await reconcile(year);
    for (const life of lives) life.believed = null;
  });
}

async function erase(year: Year): Promise<void> {
  const { findings, lives, stage, chance } = year;
  const now = nowMs(year);
  const due = lives.filter((life) => isDue(life, now));
  const runs = await Promise.all(chance.inPercent(30) ? [stage.erase(), stage.erase()] : [stage.erase()]);
  const erased = runs.reduce((sum, count) => sum + count, 0);
  findings.expect(erased === due.length, null, () => `${erased} accounts were erased, ${due.length} were due`);
  for (const life of due) life.erasedMs = now;
  findings.counts.erased += erased;
}

const isDue = ({ leavesAskedMs, erasedMs }: Life, now: number): boolean =>
  erasedMs === null && leavesAskedMs !== null && now >= leavesAskedMs + ERASE_AFTER_MS;
