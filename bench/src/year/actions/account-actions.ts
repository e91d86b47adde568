/** Account actions of the simulated year: joining, being granted access, signing in, practising and opting out of mail. */
import type { DeviceCredentials } from '@parley/contract';
import { DeviceId, LearnerId } from '@parley/domain';
import { eq } from 'drizzle-orm';
import { tables } from '../../../../sync-server/src/db/tables.ts';
import { type AccountScript, expectAudit } from '../account-script.ts';
import { DAY_MS, ZONES } from '../wall-clock.ts';
import { attempt, nowMs, randomNode, type SimulatedYear } from '../simulated-year.ts';

export const ADMIN_ID = '00000000-0000-4000-8000-00000000000a';
const NOT_SCORED = {
  feedback: null,
  score: null,
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
export async function signUp(year: SimulatedYear, life: AccountScript): Promise<void> {
  const { features, mail } = randomNode(year);
  if (life.habits.joinsBy === 'device') {
    const ids = { userId: LearnerId.parse(life.chance.uuid()), deviceId: DeviceId.parse(life.chance.uuid()) };
    recordDevice(life, await features.accounts.register({ ...ids, ...LAPTOP, timeZone: life.zone }));
  }
  Object.assign(life.inbox, { code: null, link: null });
  const requestId = await requestSignInMessage(year, life);
  await mail.sendDue();
  life.userId =
    life.device === null
      ? await signInByBrowser(year, life, life.inbox.link)
      : await signInByCode(year, life, requestId);
  if (life.userId === null) return;
  life.joinedMs = nowMs(year);
  expectAudit(life, 'signed_in');
  const { userId } = life;
  await attempt(year, life, { what: 'requesting access' }, () => features.access.request(userId));
  expectAudit(life, 'access_requested');
}

/** Each learner asks from a network of their own. */
const requestSignInMessage = (year: SimulatedYear, { email, device }: AccountScript): Promise<string> =>
  randomNode(year).features.signIn.request({
    email,
    address: email,
    device,
    knownBrowserMark: undefined,
    language: null,
    request: { id: null },
  });

async function signInByCode(year: SimulatedYear, life: AccountScript, requestId: string): Promise<string | null> {
  const { email, inbox, zone } = life;
  const known = life.device;
  const deviceId = known?.deviceId ?? DeviceId.parse(life.chance.uuid());
  const asked = { email, requestId, code: inbox.code ?? '000000', deviceId, ...LAPTOP, timeZone: zone };
  const signed = await attempt(
    year,
    life,
    { what: 'signing in by code', mayFail: expectedRefusals(inbox.code, year) },
    () => randomNode(year).features.signIn.signInWithCode(asked, known),
  );
  return signed === null ? null : recordDevice(life, signed.credentials);
}

function recordDevice(life: AccountScript, { userId, deviceId, token }: DeviceCredentials): string {
  life.device = { userId, deviceId, token };
  life.knownZone = life.zone;
  return userId;
}

const signInByBrowser = (year: SimulatedYear, life: AccountScript, link: string | null): Promise<string | null> =>
  attempt(year, life, { what: 'signing in by a link in a browser', mayFail: expectedRefusals(link, year) }, () =>
    randomNode(year)
      .features.signIn.signInBrowser(link ?? '', async (_tx, userId) => userId)
      .then(({ session }) => session),
  );

export async function grantAccess(year: SimulatedYear, life: AccountScript): Promise<void> {
  if (life.userId === null || life.hasAccess) return;
  const decision = { actorId: ADMIN_ID, subjectId: life.userId, reason: null };
  await attempt(year, life, { what: 'granting access' }, () => randomNode(year).features.access.grant(decision));
  const now = nowMs(year);
  Object.assign(life, {
    hasAccess: true,
    accessMs: now,
    signedInMs: null,
    signInSeenMs: null,
    accessMail: { atMs: now, state: 'under way' },
  });
  expectAudit(life, 'access_granted');
}

/** The first sign-in since access was granted: by link, by code, or by opening an app that is signed in already. */
export async function signInAfterAccess(year: SimulatedYear, life: AccountScript): Promise<void> {
  if (life.habits.signsInBy === 'opening' && life.device !== null) return openApp(year, life);
  const { mail } = randomNode(year);
  const { accessLink } = life.inbox;
  const before = life.userId;
  let userId: string | null = null;
  // Links near their expiry are not used, because the outcome would depend on the hour.
  if (
    life.habits.signsInBy === 'link' &&
    accessLink !== null &&
    nowMs(year) - accessLink.atMs < LINK_LIFE_MS - DAY_MS / 2
  ) {
    userId = await signInByLink(year, life, accessLink.link);
    life.inbox.accessLink = null;
  }
  if (userId === null) {
    life.inbox.code = null;
    const requestId = await requestSignInMessage(year, life);
    await mail.sendDue();
    userId = await signInByCode(year, life, requestId);
  }
  if (userId === null) return;
  year.findings.expect(userId === before, life, () => 'signed in to another account with their own address');
  expectAudit(life, 'signed_in');
  recordSignedIn(life, nowMs(year), nowMs(year));
}

async function signInByLink(year: SimulatedYear, life: AccountScript, link: string): Promise<string | null> {
  const { device, zone } = life;
  if (device === null) return signInByBrowser(year, life, link);
  const asked = { link, deviceId: device.deviceId, ...LAPTOP, timeZone: zone };
  const signed = await attempt(year, life, { what: 'signing in by a link' }, () =>
    randomNode(year).features.signIn.signInWithLink(asked, device),
  );
  return signed === null ? null : recordDevice(life, signed.credentials);
}

/** The learner opens the app, so the server sees the device and its time zone. */
export async function openApp(year: SimulatedYear, life: AccountScript): Promise<void> {
  const { device } = life;
  if (device === null) return;
  const { features } = randomNode(year);
  await features.accounts.authenticate(`Bearer ${device.token}`);
  await attempt(year, life, { what: 'viewing the account' }, () =>
    features.views.forDevice(device, { timeZone: life.zone }),
  );
  life.knownZone = life.zone;
  if (life.hasAccess && life.accessMs !== null) recordSignedIn(life, life.accessMs, nowMs(year));
}

function recordSignedIn(life: AccountScript, atMs: number, seenMs: number): void {
  life.signedInMs ??= atMs;
  life.signInSeenMs ??= seenMs;
}

export function changeTimeZone(life: AccountScript): void {
  life.zone = life.chance.pick(ZONES);
}

export async function practise(year: SimulatedYear, life: AccountScript): Promise<void> {
  const { userId, chance } = life;
  if (userId === null) return;
  const at = year.fixture.stripeFake.now();
  await year.fixture.db.insert(tables.practiceHistory).values({
    ...NOT_SCORED,
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
  life.practisedMs ??= nowMs(year);
}

/** Toggles reminders: with the unsubscribe link of a mail if there is one, otherwise in the settings. */
export async function toggleReminders(year: SimulatedYear, life: AccountScript): Promise<void> {
  const { userId, inbox } = life;
  if (userId === null) return;
  const { unsubscribe } = randomNode(year).mail;
  const byClick = life.wantsMail && inbox.unsubscribeUrl !== null;
  if (byClick) {
    const learner = unsubscribe.readToken(new URL(inbox.unsubscribeUrl ?? '').searchParams.get('token'));
    year.findings.expect(learner === userId, life, () => 'the unsubscribe link belongs to another learner');
    if (learner !== null) await unsubscribe.turnOff(learner);
  } else
    await year.fixture.db
      .update(tables.users)
      .set({ emailNotifications: !life.wantsMail })
      .where(eq(tables.users.userId, userId));
  life.wantsMail = !life.wantsMail;
  life.lastDisruptionMs = nowMs(year);
}
