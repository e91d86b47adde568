/** Account actions of the simulated year: joining, being granted access, signing in, practising and opting out of mail. */
import type { DeviceCredentials } from '@parley/contract';
import { DeviceId, LearnerId } from '@parley/domain';
import { eq } from 'drizzle-orm';
import { tables } from '../../../../sync-server/src/db/tables.ts';
import { type AccountScript, expectAudit } from '../account-script.ts';
import { DAY_MS, ZONES } from '../wall-clock.ts';
import { attempt, nowMs, randomNode, type SimulatedYear } from '../simulated-year.ts';

export const ADMIN_ID = '00000000-0000-4000-8000-00000000000a';
/** A session that was only opened would not count as practice, so this one has a score. */
const SESSION = {
  feedback: null,
  score: 75,
  accuracyScore: null,
  fluencyScore: null,
  prosodyScore: null,
  completenessScore: null,
  pronScore: null,
  wordsScore: null,
  duration: 0,
  communicationStyle: 'audio',
  status: 'in_progress',
  summary: null,
  difficulty: 'easy',
  pausedAt: null,
} as const;
const LAPTOP = { name: 'Laptop', platform: 'linux' } as const;
const LINK_LIFE_MS = 7 * DAY_MS;
/** A sign-in may fail when its mail was delayed by a mail outage. */
const expectedRefusals = (code: string | null, { isMailDown }: SimulatedYear): readonly string[] =>
  code === null && isMailDown ? ['sign_in.code_wrong', 'sign_in.link_spent'] : [];

/** A new learner signs in and requests access. */
export async function signUp(year: SimulatedYear, script: AccountScript): Promise<void> {
  const { features, mail } = randomNode(year);
  if (script.habits.joinsBy === 'device') {
    const ids = { userId: LearnerId.parse(script.chance.uuid()), deviceId: DeviceId.parse(script.chance.uuid()) };
    recordDevice(script, await features.accounts.register({ ...ids, ...LAPTOP, timeZone: script.zone }));
  }
  Object.assign(script.inbox, { code: null, link: null });
  const { requestId } = await requestSignInEmail(year, script);
  await mail.sendDue();
  script.userId =
    script.device === null
      ? await signInByBrowser(year, script, script.inbox.link)
      : await signInByCode(year, script, requestId);
  if (script.userId === null) return;
  script.joinedMs = nowMs(year);
  expectAudit(script, 'signed_in');
  const { userId } = script;
  await attempt(year, script, { what: 'requesting access' }, () => features.access.request(userId));
  expectAudit(script, 'access_requested');
}

/** Each learner asks from a network of their own. */
const requestSignInEmail = (year: SimulatedYear, { email, device }: AccountScript) =>
  randomNode(year).features.signIn.request({
    email,
    address: email,
    device,
    knownBrowserMark: undefined,
    language: null,
    request: { id: null },
  });

async function signInByCode(year: SimulatedYear, script: AccountScript, requestId: string): Promise<string | null> {
  const { email, inbox, zone } = script;
  const known = script.device;
  const deviceId = known?.deviceId ?? DeviceId.parse(script.chance.uuid());
  const asked = { email, requestId, code: inbox.code ?? '000000', deviceId, ...LAPTOP, timeZone: zone };
  const signed = await attempt(
    year,
    script,
    { what: 'signing in by code', mayFail: expectedRefusals(inbox.code, year) },
    () => randomNode(year).features.signIn.signInWithCode(asked, known),
  );
  return signed === null ? null : recordDevice(script, signed.credentials);
}

function recordDevice(script: AccountScript, { userId, deviceId, token }: DeviceCredentials): string {
  script.device = { userId, deviceId, token };
  script.knownZone = script.zone;
  return userId;
}

const signInByBrowser = (year: SimulatedYear, script: AccountScript, link: string | null): Promise<string | null> =>
  attempt(year, script, { what: 'signing in by a link in a browser', mayFail: expectedRefusals(link, year) }, () =>
    randomNode(year)
      .features.signIn.signInBrowser(link ?? '', async (_tx, { userId }) => userId)
      .then(({ session }) => session),
  );

export async function grantAccess(year: SimulatedYear, script: AccountScript): Promise<void> {
  if (script.userId === null || script.hasAccess) return;
  const decision = { actorId: ADMIN_ID, subjectId: script.userId, reason: null };
  await attempt(year, script, { what: 'granting access' }, () => randomNode(year).features.access.grant(decision));
  const now = nowMs(year);
  Object.assign(script, {
    hasAccess: true,
    accessMs: now,
    signedInMs: null,
    signInSeenMs: null,
    accessMail: { atMs: now, state: 'under way' },
  });
  expectAudit(script, 'access_granted');
}

/** The first sign-in since access was granted: by link, by code, or by opening an app that is signed in already. */
export async function signInAfterAccess(year: SimulatedYear, script: AccountScript): Promise<void> {
  if (script.habits.signsInBy === 'opening' && script.device !== null) return openApp(year, script);
  const { mail } = randomNode(year);
  const { accessLink } = script.inbox;
  const before = script.userId;
  let userId: string | null = null;
  // Links near their expiry are not used, because the outcome would depend on the hour.
  if (
    script.habits.signsInBy === 'link' &&
    accessLink !== null &&
    nowMs(year) - accessLink.atMs < LINK_LIFE_MS - DAY_MS / 2
  ) {
    userId = await signInByLink(year, script, accessLink.link);
    script.inbox.accessLink = null;
  }
  if (userId === null) {
    script.inbox.code = null;
    const { requestId } = await requestSignInEmail(year, script);
    await mail.sendDue();
    userId = await signInByCode(year, script, requestId);
  }
  if (userId === null) return;
  // Signing in spends all other messages.
  script.inbox.accessLink = null;
  year.findings.expect(userId === before, script, () => 'signed in to another account with their own address');
  expectAudit(script, 'signed_in');
  recordSignedIn(script, nowMs(year), nowMs(year));
}

async function signInByLink(year: SimulatedYear, script: AccountScript, link: string): Promise<string | null> {
  const { device, zone } = script;
  if (device === null) return signInByBrowser(year, script, link);
  const asked = { link, deviceId: device.deviceId, ...LAPTOP, timeZone: zone };
  const signed = await attempt(year, script, { what: 'signing in by a link' }, () =>
    randomNode(year).features.signIn.signInWithLink(asked, device),
  );
  return signed === null ? null : recordDevice(script, signed.credentials);
}

/** The learner opens the app, so the server sees the device and its time zone. */
export async function openApp(year: SimulatedYear, script: AccountScript): Promise<void> {
  const { device } = script;
  if (device === null) return;
  const { features } = randomNode(year);
  await features.accounts.authenticate(`Bearer ${device.token}`);
  await attempt(year, script, { what: 'viewing the account' }, () =>
    features.views.forDevice(device, { timeZone: script.zone }),
  );
  script.knownZone = script.zone;
  if (script.hasAccess && script.accessMs !== null) recordSignedIn(script, script.accessMs, nowMs(year));
}

function recordSignedIn(script: AccountScript, atMs: number, seenMs: number): void {
  script.signedInMs ??= atMs;
  script.signInSeenMs ??= seenMs;
}

export function changeTimeZone(script: AccountScript): void {
  script.zone = script.chance.pick(ZONES);
}

export async function practise(year: SimulatedYear, script: AccountScript): Promise<void> {
  const { userId, chance } = script;
  if (userId === null) return;
  const at = year.fixture.stripeFake.now();
  await year.fixture.db.insert(tables.practiceHistory).values({
    ...SESSION,
    ...year.fixture.practice,
    id: chance.uuid(),
    userId,
    entireConversation: [],
    completedObjectives: [],
    createdAt: at,
    updatedAt: at,
    syncVersion: 1,
    deletedAt: null,
  });
  script.practisedMs ??= nowMs(year);
}

/** Toggles reminders: with the unsubscribe link of a mail if there is one, otherwise in the settings. */
export async function toggleReminders(year: SimulatedYear, script: AccountScript): Promise<void> {
  const { userId, inbox } = script;
  if (userId === null) return;
  const { unsubscribe } = randomNode(year).mail;
  const byClick = script.wantsMail && inbox.unsubscribeUrl !== null;
  if (byClick) {
    const learner = unsubscribe.readToken(new URL(inbox.unsubscribeUrl ?? '').searchParams.get('token'));
    year.findings.expect(learner === userId, script, () => 'the unsubscribe link belongs to another learner');
    if (learner !== null) await unsubscribe.turnOff(learner);
  } else
    await year.fixture.db
      .update(tables.users)
      .set({ emailNotifications: !script.wantsMail })
      .where(eq(tables.users.userId, userId));
  script.wantsMail = !script.wantsMail;
  script.lastDisruptionMs = nowMs(year);
}
