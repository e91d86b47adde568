/** Devices that practise, export their data and import it elsewhere. */
import { unzipSync, zipSync, type Zippable } from 'fflate';
import { readFileSync } from 'node:fs';
import {
  aClock,
  anAssessment,
  aScriptedScorer,
  type OpenHost,
  openHost,
  recordTurn,
  voiceLikePcm,
} from './open-host.ts';
import { COACH, LATE_DELIVERY } from './test-catalogue.ts';

export const NOW = '2026-11-18T10:00:00.000Z';

const opened: OpenHost[] = [];
export async function closeDevices(): Promise<void> {
  await Promise.all(opened.splice(0).map(({ host }) => host.close()));
}

export async function aDevice(options: Partial<Parameters<typeof openHost>[0]> = {}) {
  const clock = aClock(NOW);
  const scorer = aScriptedScorer({ assess: (text) => anAssessment(text, () => 40) });
  const one = await openHost({ scorer, clock, ...options });
  opened.push(one);
  return { ...one, clock };
}
export type Device = Awaited<ReturnType<typeof aDevice>>;

export async function practise({ ask }: Device) {
  const start = { practiceId: LATE_DELIVERY, difficulty: 'easy', communicationStyle: 'audio' } as const;
  const { sessionId } = await ask.practice.start(start);
  const { turnId, recordingId } = await recordTurn(ask, sessionId);
  await ask.practice.finishTurn({ sessionId, turnId, hintLevel: 1 });
  await ask.practice.sendTurn({ sessionId, turnId });
  await ask.practice.finish({ sessionId });
  return { sessionId, recordingId };
}

export async function drill({ ask }: Device, text: string): Promise<void> {
  const { turnId } = await ask.drill.begin({ text, other: null, source: 'drill' });
  await ask.drill.appendAudio({ turnId, seq: 0, pcm: new Blob([voiceLikePcm(1_000)]) });
  await ask.drill.finish({ turnId });
}

export const exportOf = async ({ ask }: Device): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(readFileSync((await ask.account.exportAll()).file));

/** Sends the file in chunks, as the renderer does. */
export async function send({ ask }: Device, file: Uint8Array<ArrayBuffer>, chunkBytes = 50_000): Promise<string> {
  const { importId } = await ask.import.begin();
  for (let offset = 0; offset < file.length; offset += chunkBytes)
    await ask.import.append({ importId, offset, bytes: new Blob([file.slice(offset, offset + chunkBytes)]) });
  return importId;
}

export async function importInto(one: Device, file: Uint8Array<ArrayBuffer>) {
  const importId = await send(one, file);
  await one.ask.import.preview({ importId });
  return one.ask.import.apply({ importId });
}

/** The archive with some of its entries changed, added or removed. */
export function changed(
  file: Uint8Array,
  change: (entries: Record<string, Uint8Array | null>) => void,
): Uint8Array<ArrayBuffer> {
  const entries: Record<string, Uint8Array | null> = unzipSync(file);
  change(entries);
  const kept = Object.entries(entries).filter(([, content]) => content !== null) as [string, Uint8Array][];
  const zippable: Zippable = Object.fromEntries(kept);
  return new Uint8Array(zipSync(zippable));
}

export const jsonOf = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
export const rowsOf = (content: Uint8Array | null | undefined): Record<string, unknown>[] =>
  JSON.parse(new TextDecoder().decode(content ?? new Uint8Array())) as Record<string, unknown>[];

/** The learner's view of their work. */
export async function seen({ ask }: Device) {
  const { items } = await ask.history.list({ search: '', offset: 0, limit: 50 });
  const { words } = await ask.review.words({ search: '' });
  const { profile, device: settings } = await ask.settings.read();
  return {
    sessions: items.map(({ sessionId, overall, startedAt }) => ({ sessionId, overall, startedAt })),
    words: words.map(({ word, attempts, meanAccuracy, status, due }) => ({
      word,
      attempts,
      meanAccuracy,
      status,
      due,
    })),
    progress: await ask.progress.overview({ range: 'all' }),
    firstName: profile.firstName,
    theme: settings.theme,
  };
}

export const withoutIds = ({ sessions, progress, ...rest }: Awaited<ReturnType<typeof seen>>) => ({
  ...rest,
  sessions: sessions.map(({ sessionId: _id, ...session }) => session),
  progress: { ...progress, trends: progress.trends.accuracy.points.map(({ score }) => score) },
});

export async function aLearner(): Promise<Device> {
  const one = await aDevice();
  await one.ask.settings.updateProfile({ firstName: 'Ana', agentId: COACH });
  await one.ask.settings.updateDevice({ theme: 'dark' });
  await practise(one);
  await drill(one, 'I think so');
  await one.ask.review.grade({ word: 'think', grade: 'good', accuracy: 85 });
  return one;
}
