/** At the end of a day: what the server holds of each learner, against what the provider says and what was written down. */
import { judgeDue } from './judge-due.ts';
import type { Life } from './life.ts';
import { ALLOWED_S, minutesSinceMs, planAt, type Told } from './plan-table.ts';
import { type DayRows, readRows, type SubscriptionRow } from './read-rows.ts';
import { leftBy } from './talk-acts.ts';
import { nowMs, someNode, truthOf, type Year } from './year.ts';

/** A view costs several queries: each learner's is looked at every so many days. */
const VIEW_EVERY_DAYS = 10;

export async function judgeDay(year: Year, day: number): Promise<void> {
  const rows = await readRows(year.stage.db);
  const views: Promise<void>[] = [];
  for (const [index, life] of year.lives.entries()) {
    if (life.erasedMs !== null) judgeErased(year, life, rows);
    else if (life.userId !== null) {
      judgeMoney(year, life, rows);
      judgeLog(year, life, rows);
      judgeDue(year, life, rows);
      if ((index + day) % VIEW_EVERY_DAYS === 0) views.push(judgeView(year, life, life.userId));
    }
  }
  await Promise.all(views);
}

function judgeErased({ findings }: Year, life: Life, rows: DayRows): void {
  const userId = life.userId ?? '';
  findings.expect(!rows.users.has(userId), life, () => 'is erased, and has a row');
  findings.expect(!rows.addresses.has(life.email), life, () => 'is erased, and their address stands in a mail');
  findings.expect(!rows.subscriptions.has(userId), life, () => 'is erased, and has a subscription');
  findings.expect(!rows.seconds.has(userId), life, () => 'is erased, and has minutes');
  findings.expect(
    rows.acts.get(userId)?.get('account_erased') === 1,
    life,
    () => 'is erased, and the log does not say so once',
  );
}

function judgeMoney(year: Year, life: Life, rows: DayRows): void {
  const { findings } = year;
  const userId = life.userId ?? '';
  const own = rows.subscriptions.get(userId) ?? [];
  const [row] = own;
  findings.expect(own.length <= 1, life, () => `has ${own.length} subscriptions`);
  if (!life.minutes.isOpen) {
    const [ledger, book] = [rows.seconds.get(userId) ?? 0, life.minutes.totalS];
    findings.expect(ledger === book, life, () => `the ledger holds ${ledger} s, the book ${book} s`);
  }
  // What is under way is judged once it has come.
  if (life.believed !== null) return;
  const told = truthOf(year, life);
  findings.expect((row === undefined) === (told === null), life, () => 'has a row and no subscription, or the reverse');
  if (row === undefined || told === null) return;
  const differing = differences(row, told);
  findings.expect(differing.length === 0, life, () => `the row is not what the provider says: ${differing.join(', ')}`);
  const now = nowMs(year);
  const plan = planAt(told, now);
  const quota = ALLOWED_S[plan].live;
  findings.expect(row.quota === quota, life, () => `${plan} has a quota of ${quota} s, the row says ${row.quota}`);
  const { liveS } = plan === 'FREE' ? { liveS: 0 } : life.minutes.used({ sinceMs: minutesSinceMs(told, now) }, now);
  const left = Math.max(0, quota - liveS);
  if (!life.minutes.isOpen)
    findings.expect(
      row.remainingTime === left,
      life,
      () => `${left} s of ${plan} are left, the row says ${row.remainingTime}`,
    );
}

function differences(row: SubscriptionRow, told: Told): string[] {
  const isEnding = told.cancelAtMs !== null && told.cancelAtMs === told.endMs;
  const pairs: Record<string, [unknown, unknown]> = {
    id: [row.providerSubscriptionId, told.id],
    status: [row.status, told.status],
    price: [row.providerPrice, told.price],
    planType: [row.planType, told.status === 'trialing' ? 'TRIALING' : told.paidPlan],
    currentPeriodStart: [row.currentPeriodStart?.getTime(), told.startMs],
    currentPeriodEnd: [row.currentPeriodEnd?.getTime(), told.endMs],
    cancelAt: [row.cancelAt?.getTime() ?? null, told.cancelAtMs],
    cancelAtPeriodEnd: [row.cancelAtPeriodEnd, isEnding],
    canceledAt: [row.canceledAt?.getTime() ?? null, told.canceledAtMs],
    endedAt: [row.endedAt?.getTime() ?? null, told.endedAtMs],
  };
  return Object.entries(pairs).flatMap(([name, [ours, theirs]]) =>
    ours === theirs ? [] : [`${name} ${String(ours)} for ${String(theirs)}`],
  );
}

function judgeLog({ findings }: Year, life: Life, rows: DayRows): void {
  const userId = life.userId ?? '';
  const acts = rows.acts.get(userId);
  for (const [act, times] of life.logged)
    findings.expect(
      acts?.get(act) === times,
      life,
      () => `${act} happened ${times} times, the log says ${acts?.get(act) ?? 0}`,
    );
  const [row] = rows.subscriptions.get(userId) ?? [];
  if (row === undefined) return;
  const said = rows.lastPlan.get(userId);
  findings.expect(
    said?.plan === row.planType && said.status === row.status,
    life,
    () =>
      `the plan is ${row.planType} (${row.status}), the log’s last word is ${String(said?.plan)} (${String(said?.status)})`,
  );
}

async function judgeView(year: Year, life: Life, userId: string): Promise<void> {
  const view = await someNode(year).features.views.of(userId, life.zone);
  const { findings } = year;
  const now = nowMs(year);
  const plans = (life.believed ?? [truthOf(year, life)]).map((told) => planAt(told, now));
  findings.expect(plans.includes(view.plan), life, () => `is shown ${view.plan}, has ${plans.join(' or ')}`);
  findings.expect(view.hasAccess === life.hasAccess, life, () => `is shown access: ${view.hasAccess}`);
  findings.expect((view.eraseAt === null) === (life.leavesAskedMs === null), life, () => `is shown ${view.eraseAt}`);
  if (life.minutes.isOpen) return;
  const lefts = leftBy(year, life);
  const isRight = lefts.some(
    (left) => left.turn_based === view.live?.leftS && left.ultra_realistic === view.calls?.leftS,
  );
  findings.expect(isRight, life, () => `is shown ${view.live?.leftS} s, has ${lefts[0]?.turn_based} s`);
}
