/** Checks at the end of a day that the server's state matches the provider and the usage oracle. */
import { checkDueMail } from './check-due-mail.ts';
import type { AccountScript } from '../account-script.ts';
import { ALLOWANCES_S, allowanceStartMs, expectedPlanAt, type ProviderState } from './expected-plan.ts';
import { type DayRows, readRows, type SubscriptionRow } from './read-rows.ts';
import { possibleRemaining } from '../actions/session-actions.ts';
import { nowMs, randomNode, providerStateOf, type SimulatedYear } from '../simulated-year.ts';

/** A view costs several queries, so each learner's view is checked every few days only. */
const VIEW_EVERY_DAYS = 10;

export async function checkDay(year: SimulatedYear, day: number): Promise<void> {
  const rows = await readRows(year.fixture.db);
  const views: Promise<void>[] = [];
  for (const [index, script] of year.accounts.entries()) {
    if (script.erasedMs !== null) checkErased(year, script, rows);
    else if (script.userId !== null) {
      checkSubscription(year, script, rows);
      checkAuditLog(year, script, rows);
      checkDueMail(year, script, rows);
      if ((index + day) % VIEW_EVERY_DAYS === 0) views.push(checkView(year, script, script.userId));
    }
  }
  await Promise.all(views);
}

function checkErased({ findings }: SimulatedYear, script: AccountScript, rows: DayRows): void {
  const userId = script.userId ?? '';
  findings.expect(!rows.users.has(userId), script, () => 'is erased but has a row');
  findings.expect(!rows.addresses.has(script.email), script, () => 'is erased but their address is in a mail');
  findings.expect(!rows.subscriptions.has(userId), script, () => 'is erased but has a subscription');
  findings.expect(!rows.seconds.has(userId), script, () => 'is erased but has usage');
  findings.expect(
    rows.acts.get(userId)?.get('account_erased') === 1,
    script,
    () => 'is erased but the audit log does not show it once',
  );
}

function checkSubscription(year: SimulatedYear, script: AccountScript, rows: DayRows): void {
  const { findings } = year;
  const userId = script.userId ?? '';
  const own = rows.subscriptions.get(userId) ?? [];
  const [row] = own;
  findings.expect(own.length <= 1, script, () => `has ${own.length} subscriptions`);
  if (!script.usage.isOpen) {
    const [ledger, book] = [rows.seconds.get(userId) ?? 0, script.usage.totalS];
    findings.expect(ledger === book, script, () => `the ledger has ${ledger} s, the oracle ${book} s`);
  }
  // While events may be in flight, the row need not match yet.
  if (script.possibleStates !== null) return;
  const told = providerStateOf(year, script);
  findings.expect(
    (row === undefined) === (told === null),
    script,
    () => 'has a row without a subscription, or the reverse',
  );
  if (row === undefined || told === null) return;
  const differing = differences(row, told);
  findings.expect(differing.length === 0, script, () => `the row differs from the provider: ${differing.join(', ')}`);
  const now = nowMs(year);
  const plan = expectedPlanAt(told, now);
  const quota = ALLOWANCES_S[plan].live;
  findings.expect(row.quota === quota, script, () => `${plan} has a quota of ${quota} s, the row has ${row.quota}`);
  const { liveS } = plan === 'FREE' ? { liveS: 0 } : script.usage.used({ sinceMs: allowanceStartMs(told, now) }, now);
  const left = Math.max(0, quota - liveS);
  if (!script.usage.isOpen)
    findings.expect(
      row.remainingTime === left,
      script,
      () => `${left} s of ${plan} are left, the row has ${row.remainingTime}`,
    );
}

function differences(row: SubscriptionRow, told: ProviderState): string[] {
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

function checkAuditLog({ findings }: SimulatedYear, script: AccountScript, rows: DayRows): void {
  const userId = script.userId ?? '';
  const acts = rows.acts.get(userId);
  for (const [act, times] of script.expectedAuditCounts)
    findings.expect(
      acts?.get(act) === times,
      script,
      () => `${act} happened ${times} times, the audit log has ${acts?.get(act) ?? 0}`,
    );
  const [row] = rows.subscriptions.get(userId) ?? [];
  if (row === undefined) return;
  const said = rows.lastPlan.get(userId);
  findings.expect(
    said?.plan === row.planType && said.status === row.status,
    script,
    () =>
      `the plan is ${row.planType} (${row.status}), the newest log entry is ${String(said?.plan)} (${String(said?.status)})`,
  );
}

async function checkView(year: SimulatedYear, script: AccountScript, userId: string): Promise<void> {
  const view = await randomNode(year).features.views.forUser(userId, script.zone);
  const { findings } = year;
  const now = nowMs(year);
  const plans = (script.possibleStates ?? [providerStateOf(year, script)]).map((told) => expectedPlanAt(told, now));
  findings.expect(
    plans.some((plan) => plan === view.plan),
    script,
    () => `is shown ${view.plan}, has ${plans.join(' or ')}`,
  );
  findings.expect(view.hasAccess === script.hasAccess, script, () => `is shown access: ${view.hasAccess}`);
  findings.expect(
    (view.eraseAt === null) === (script.deletionRequestedMs === null),
    script,
    () => `is shown ${view.eraseAt}`,
  );
  if (script.usage.isOpen) return;
  const lefts = possibleRemaining(year, script);
  const isRight = lefts.some(
    (left) => left.turn_based === view.live?.leftS && left.ultra_realistic === view.calls?.leftS,
  );
  findings.expect(isRight, script, () => `is shown ${view.live?.leftS} s, has ${lefts[0]?.turn_based} s`);
}
