/**
 * One random history: two or three devices, and in half of the histories one with the previous app version, practise,
 * review, delete and undo while they are out of touch, and must end up equal.
 */
import { LinkCode } from '@parley/contract';
import type { SessionId } from '@parley/domain';
import {
  type aClock,
  anAssessment,
  aScriptedScorer,
  type OpenHost,
  openHost,
  recordTurn,
  voiceLikePcm,
} from '../../../desktop/src/host/test-kit/open-host.ts';
import { LATE_DELIVERY } from '../../../desktop/src/host/test-kit/test-catalogue.ts';
import { type Random, seededRandom } from '../torture/seeded-random.ts';
import { findDifferences } from './find-differences.ts';
import { joinOldApp, type OldApp, type PushCounts } from './old-app.ts';
import type { LoggedEvent } from './oracle/expected-list.ts';

const WORDS = ['think', 'month', 'really', 'value', 'ship', 'three', 'usually', 'world'] as const;
const HOUR_MS = 3_600_000;
const SYNC_ROUNDS = 40;
const OLD_APP_SHARE = 0.5;
/** The probabilities of an old app's actions in one step of a history. */
const OLD_APP_PRACTISES = 0.15;
const OLD_APP_SYNCS = 0.1;

interface Device extends OpenHost {
  score: { now: number };
  grades: { eventId: string; attemptId: string }[];
  /** Sessions that it has shown: its own, and those that it has pulled. */
  known: Set<SessionId>;
}

interface History {
  random: Random;
  clock: ReturnType<typeof aClock>;
  devices: Device[];
  /** Null in histories without one. */
  oldApp: OldApp | null;
  events: Map<string, LoggedEvent>;
  /** All events, including those that were undone. */
  happened: LoggedEvent[];
  sessions: { sessionId: SessionId; events: LoggedEvent[] }[];
}

export interface HistoryServer {
  url: string;
  /** Shared by server and devices, so that the order of all changes is known. */
  clock: ReturnType<typeof aClock>;
  isOffline: (offline: boolean) => void;
  /** How many pushes of the current protocol have arrived, and how many of them have been answered. */
  pushes: () => PushCounts;
}

/** Returns what is wrong; nothing when all devices and the oracle agree. */
export async function runHistory(
  { seed, deviceCount, steps }: { seed: number; deviceCount: number | null; steps: number },
  server: HistoryServer,
): Promise<string[]> {
  const random = seededRandom(seed);
  const { clock } = server;
  const devices: Device[] = [];
  try {
    server.isOffline(false);
    for (let count = deviceCount ?? random.int(2, 3); count > 0; count -= 1)
      devices.push(await openDevice(clock, server.url));
    await joinAll(devices);
    const oldApp = random.happens(OLD_APP_SHARE) ? await openOldApp(devices, random, server) : null;
    const history: History = { random, clock, devices, oldApp, events: new Map(), happened: [], sessions: [] };
    for (let step = 0; step < steps; step += 1) await takeStep(history, server);
    server.isOffline(false);
    await syncAll(history);
    return await findDifferences({
      devices,
      oldApp: oldApp?.record ?? null,
      events: [...history.events.values()],
      happened: history.happened,
    });
  } finally {
    await Promise.all(devices.map(({ host }) => host.close()));
  }
}

async function openDevice(clock: ReturnType<typeof aClock>, serverUrl: string): Promise<Device> {
  const score = { now: 90 };
  const scorer = aScriptedScorer({ assess: (text) => anAssessment(text, () => score.now) });
  const opened = await openHost({ scorer, clock, serverUrl, timeZone: () => 'UTC' });
  await opened.host.whenIdle();
  return { ...opened, score, grades: [], known: new Set() };
}

async function joinAll([first, ...others]: readonly Device[]): Promise<void> {
  if (first === undefined) return;
  for (const { ask } of others) {
    const { code } = await first.ask.account.createLinkCode();
    await ask.account.join({ code: LinkCode.parse(code) });
  }
}

async function openOldApp(devices: readonly Device[], random: Random, server: HistoryServer): Promise<OldApp | null> {
  const [first] = devices;
  if (first === undefined) return null;
  const { code } = await first.ask.account.createLinkCode();
  const { clock, pushes, url } = server;
  return joinOldApp({ serverUrl: url, linkCode: code, now: clock.now, random: random.fork(), otherPushes: pushes });
}

async function takeStep(history: History, server: HistoryServer): Promise<void> {
  const { random, clock, devices, oldApp } = history;
  clock.pass(random.int(1, 30) * HOUR_MS);
  const device = random.pick(devices);
  server.isOffline(true);
  if (oldApp !== null && random.happens(OLD_APP_PRACTISES))
    return oldApp.practise(random.pick(WORDS), random.int(20, 100));
  if (oldApp !== null && random.happens(OLD_APP_SYNCS)) {
    // Otherwise, another device could still be pushing, and the oracle would not know which rows the list was merged with.
    await Promise.all(devices.map(({ host }) => host.whenIdle()));
    server.isOffline(false);
    await oldApp.sync();
    return;
  }
  const draw = random.next();
  if (draw < 0.3) return say(history, device, { inReview: false });
  if (draw < 0.55) return review(history, device);
  if (draw < 0.65) return decide(history, device);
  if (draw < 0.75) return practise(history, device);
  if (draw < 0.85) return deleteOrRestore(history, device);
  if (draw < 0.9) return undoGrade(history, device);
  server.isOffline(false);
  await device.ask.sync.run();
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

function log(history: History, event: Omit<LoggedEvent, 'id' | 'at' | 'day'>): LoggedEvent {
  const at = history.clock.now();
  const logged = { ...event, id: `${at.getTime()} ${event.kind} ${event.word}`, at: at.getTime(), day: dayOf(at) };
  history.events.set(logged.id, logged);
  history.happened.push(logged);
  return logged;
}

const NOTHING = { accuracy: null, sound: null, inReview: false, grade: null } as const;

async function sayWord({ ask, score }: Device, word: string, accuracy: number, source: 'drill' | 'review') {
  score.now = accuracy;
  const { turnId } = await ask.drill.begin({ text: word, other: null, source });
  await ask.drill.appendAudio({ turnId, seq: 0, pcm: new Blob([voiceLikePcm(500)]) });
  await ask.drill.finish({ turnId });
}

async function say(history: History, device: Device, { inReview }: { inReview: boolean }, of?: string) {
  const word = of ?? history.random.pick(WORDS);
  const accuracy = history.random.int(20, 100);
  await sayWord(device, word, accuracy, inReview ? 'review' : 'drill');
  log(history, { ...NOTHING, kind: 'said', word, accuracy, sound: ['l', accuracy], inReview });
}

async function review(history: History, device: Device): Promise<void> {
  const { random, clock } = history;
  const { cards } = await device.ask.review.due();
  const word = cards.length === 0 ? random.pick(WORDS) : random.pick(cards).word;
  await say(history, device, { inReview: true }, word);
  clock.pass(1_000);
  const accuracy = random.int(50, 100);
  const grade = accuracy >= 80 ? 'good' : 'again';
  const { attemptId } = await device.ask.review.grade({ word, grade, accuracy });
  const { id } = log(history, { ...NOTHING, kind: 'graded', word, accuracy, inReview: true, grade });
  device.grades.push({ eventId: id, attemptId });
}

async function undoGrade({ events }: History, device: Device): Promise<void> {
  const last = device.grades.pop();
  if (last === undefined) return;
  await device.ask.review.undo({ attemptId: last.attemptId });
  events.delete(last.eventId);
}

async function decide(history: History, device: Device): Promise<void> {
  const { words } = await device.ask.review.words({ search: '' });
  if (words.length === 0 || history.random.happens(0.4)) {
    const word = history.random.pick(WORDS);
    await device.ask.review.add({ word, sentence: null });
    log(history, { ...NOTHING, kind: 'added', word });
    return;
  }
  const { word } = history.random.pick(words);
  const as = history.random.pick(['learned', 'removed'] as const);
  await device.ask.review.mark({ word, as });
  log(history, { ...NOTHING, kind: as, word });
}

/** A spoken practice of one turn, whose every word is scored alike. */
async function practise(history: History, device: Device): Promise<void> {
  const { ask, score } = device;
  score.now = history.random.int(20, 100);
  const start = { practiceId: LATE_DELIVERY, difficulty: 'easy', communicationStyle: 'audio' } as const;
  const { sessionId } = await ask.practice.start(start);
  const { turnId } = await recordTurn(ask, sessionId, voiceLikePcm(500));
  const heard = await ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 });
  await ask.practice.sendTurn({ sessionId, turnId });
  await ask.practice.finish({ sessionId });
  const text = heard.status === 'heard' ? heard.text : '';
  const words = text.toLowerCase().replaceAll(/[.,]/g, '').split(' ').filter(Boolean);
  const events = words.map((word) =>
    log(history, { ...NOTHING, kind: 'said', word, accuracy: score.now, sound: ['l', score.now] }),
  );
  history.sessions.push({ sessionId, events });
}

/** A device deletes a session that it shows, or restores one that it has shown. The last device to do so decides. */
async function deleteOrRestore({ random, sessions, events }: History, device: Device): Promise<void> {
  const { ask, known } = device;
  const { items } = await ask.history.list({ search: '', offset: 0, limit: 200 });
  // A session that another device has half sent looks unfinished here, and cannot be deleted.
  const shown = new Set(items.flatMap(({ sessionId, status }) => (status === 'in_progress' ? [] : [sessionId])));
  for (const sessionId of shown) known.add(sessionId);
  const unfinished = new Set(items.flatMap(({ sessionId, status }) => (status === 'in_progress' ? [sessionId] : [])));
  const candidates = sessions.filter(({ sessionId }) => known.has(sessionId) && !unfinished.has(sessionId));
  if (candidates.length === 0) return;
  const { sessionId, events: own } = random.pick(candidates);
  if (shown.has(sessionId)) {
    await ask.history.remove({ sessionId });
    for (const { id } of own) events.delete(id);
    return;
  }
  await ask.history.restore({ sessionId });
  for (const event of own) events.set(event.id, event);
}

/** The last changes of an old app become rows on the other devices, which must pull them in turn. */
async function syncAll({ devices, oldApp }: History): Promise<void> {
  await syncDevices(devices);
  if (oldApp === null) return;
  for (let round = 0; round < 2; round += 1) {
    if (!(await oldApp.sync())) throw new Error('the old app could not sync');
    await syncDevices(devices);
  }
}

async function syncDevices(devices: readonly Device[]): Promise<void> {
  for (let round = 0; round < SYNC_ROUNDS; round += 1) {
    const states = [];
    for (const { ask } of devices) states.push(await ask.sync.run());
    // Everything was sent after the first of two quiet rounds, and everything was pulled after the second.
    if (round > 0 && states.every(({ state, waiting }) => state === 'idle' && waiting === 0)) {
      for (const { ask } of devices) await ask.sync.run();
      return;
    }
  }
  throw new Error('the devices did not come to rest');
}
