/** Coming, being let in, signing in, practising for the first time, and leaving: as a device or a browser asks for it. */
import type { DeviceCredentials } from '@parley/contract';
import { DeviceId, LearnerId } from '@parley/domain';
import { eq } from 'drizzle-orm';
import { tables } from '../../db/tables.ts';
import { type Life, noteAct } from './life.ts';
import { DAY_MS, ZONES } from './wall-clock.ts';
import { attempt, nowMs, someNode, type Year } from './year.ts';

export const ADMIN = '00000000-0000-4000-8000-00000000000a';
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
/** A code or link that did not come while mail servers were away is a good reason to be refused. */
const without = (code: string | null, { isMailAway }: Year): readonly string[] =>
  code === null && isMailAway ? ['sign_in.code_wrong', 'sign_in.link_spent'] : [];

/** A stranger signs in for the first time and asks to be let in. */
export async function join(year: Year, life: Life): Promise<void> {
  const { features, mail } = someNode(year);
  if (life.temper.comesBy === 'device') {
    const ids = { userId: LearnerId.parse(life.chance.uuid()), deviceId: DeviceId.parse(life.chance.uuid()) };
    seated(life, await features.accounts.register({ ...ids, ...LAPTOP, timeZone: life.zone }));
  }
  Object.assign(life.inbox, { code: null, link: null });
  const requestId = await requestMessage(year, life);
  await mail.sendDue();
  life.userId =
    life.device === null ? await enterByBrowser(year, life, life.inbox.link) : await enterByCode(year, life, requestId);
  if (life.userId === null) return;
  life.joinedMs = nowMs(year);
  noteAct(life, 'signed_in');
  const { userId } = life;
  await attempt(year, life, { what: 'asking to be let in' }, () => features.access.request(userId));
  noteAct(life, 'access_requested');
}

/** From a network of their own. */
const requestMessage = (year: Year, { email, device }: Life): Promise<string> =>
  someNode(year).features.signIn.request({ email, address: email, device, mark: undefined, request: { id: null } });

async function enterByCode(year: Year, life: Life, requestId: string): Promise<string | null> {
  const { email, inbox, zone } = life;
  const known = life.device;
  const deviceId = known?.deviceId ?? DeviceId.parse(life.chance.uuid());
  const asked = { email, requestId, code: inbox.code ?? '000000', deviceId, ...LAPTOP, timeZone: zone };
  const signed = await attempt(year, life, { what: 'signing in by code', mayFail: without(inbox.code, year) }, () =>
    someNode(year).features.signIn.withCode(asked, known),
  );
  return signed === null ? null : seated(life, signed.credentials);
}

function seated(life: Life, { userId, deviceId, token }: DeviceCredentials): string {
  life.device = { userId, deviceId, token };
  life.knownZone = life.zone;
  return userId;
}

const enterByBrowser = (year: Year, life: Life, link: string | null): Promise<string | null> =>
  attempt(year, life, { what: 'signing in by a link in a browser', mayFail: without(link, year) }, () =>
    someNode(year)
      .features.signIn.inBrowser(link ?? '', async (_tx, userId) => userId)
      .then(({ session }) => session),
  );

export async function letIn(year: Year, life: Life): Promise<void> {
  if (life.userId === null || life.hasAccess) return;
  const decision = { actorId: ADMIN, subjectId: life.userId, reason: null };
  await attempt(year, life, { what: 'being let in' }, () => someNode(year).features.access.grant(decision));
  const now = nowMs(year);
  Object.assign(life, {
    hasAccess: true,
    accessMs: now,
    enteredMs: null,
    enteringSeenMs: null,
    accessMail: { atMs: now, state: 'under way' },
  });
  noteAct(life, 'access_granted');
}

/** The first time since they have access: by the link that came, by a code that they ask for, or because the app is there already. */
export async function enter(year: Year, life: Life): Promise<void> {
  if (life.temper.entersBy === 'opening' && life.device !== null) return open(year, life);
  const { mail } = someNode(year);
  const { accessLink } = life.inbox;
  const before = life.userId;
  let userId: string | null = null;
  // Half a day before its end nobody knows which is first.
  if (
    life.temper.entersBy === 'link' &&
    accessLink !== null &&
    nowMs(year) - accessLink.atMs < LINK_LIFE_MS - DAY_MS / 2
  ) {
    userId = await enterByBrowserOrDevice(year, life, accessLink.link);
    life.inbox.accessLink = null;
  }
  if (userId === null) {
    life.inbox.code = null;
    const requestId = await requestMessage(year, life);
    await mail.sendDue();
    userId = await enterByCode(year, life, requestId);
  }
  if (userId === null) return;
  year.findings.expect(userId === before, life, () => 'came into another account with their own address');
  noteAct(life, 'signed_in');
  noteEntered(life, nowMs(year), nowMs(year));
}

async function enterByBrowserOrDevice(year: Year, life: Life, link: string): Promise<string | null> {
  const { device, zone } = life;
  if (device === null) return enterByBrowser(year, life, link);
  const asked = { link, deviceId: device.deviceId, ...LAPTOP, timeZone: zone };
  const signed = await attempt(year, life, { what: 'signing in by a link' }, () =>
    someNode(year).features.signIn.withLink(asked, device),
  );
  return signed === null ? null : seated(life, signed.credentials);
}

/** The app is opened: the server sees the device, and hears where it is. */
export async function open(year: Year, life: Life): Promise<void> {
  const { device } = life;
  if (device === null) return;
  const { features } = someNode(year);
  await features.accounts.authenticate(`Bearer ${device.token}`);
  await attempt(year, life, { what: 'looking at the account' }, () => features.views.ofDevice(device, life.zone));
  life.knownZone = life.zone;
  if (life.hasAccess && life.accessMs !== null) noteEntered(life, life.accessMs, nowMs(year));
}

function noteEntered(life: Life, atMs: number, seenMs: number): void {
  life.enteredMs ??= atMs;
  life.enteringSeenMs ??= seenMs;
}

export function travel(life: Life): void {
  life.zone = life.chance.pick(ZONES);
}

export async function practise(year: Year, life: Life): Promise<void> {
  const { userId, chance } = life;
  if (userId === null) return;
  const at = year.stage.twin.now();
  await year.stage.db.insert(tables.practiceHistory).values({
    ...NOT_SCORED,
    ...year.stage.practice,
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

/** Off by one click in a mail where there is one, else in the settings. */
export async function switchMail(year: Year, life: Life): Promise<void> {
  const { userId, inbox } = life;
  if (userId === null) return;
  const { unsubscribe } = someNode(year).mail;
  const byClick = life.wantsMail && inbox.unsubscribeUrl !== null;
  if (byClick) {
    const learner = unsubscribe.readToken(new URL(inbox.unsubscribeUrl ?? '').searchParams.get('token'));
    year.findings.expect(learner === userId, life, () => 'the link to unsubscribe names somebody else');
    if (learner !== null) await unsubscribe.turnOff(learner);
  } else
    await year.stage.db
      .update(tables.users)
      .set({ emailNotifications: !life.wantsMail })
      .where(eq(tables.users.userId, userId));
  life.wantsMail = !life.wantsMail;
  life.unsettledMs = nowMs(year);
}
