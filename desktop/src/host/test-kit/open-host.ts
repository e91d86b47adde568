/** Opens a host in a temporary folder and a client of its router. */
import { createRouterClient, type RouterClient } from '@orpc/server';
import type { Assessment } from '@parley/domain';
import type { Draft } from '@parley/speech';
import Database from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  createFileVault,
  createHost,
  type Host,
  type HostOptions,
  type HostRouter,
  type SpeechScorer,
} from '../index.ts';
import { aCatalogue, LATE_DELIVERY } from './test-catalogue.ts';

const folders: string[] = [];

export function aDataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-host-'));
  folders.push(folder);
  return folder;
}

let migrated: Buffer | null = null;

/** A folder with an empty database, because a host spends most of its first start on creating the tables. */
export function aMigratedFolder(): string {
  const dataDir = aDataFolder();
  migrated ??= migrateEmptyDatabase();
  writeFileSync(join(dataDir, 'parley.sqlite'), migrated, { mode: 0o600 });
  return dataDir;
}

function migrateEmptyDatabase(): Buffer {
  const sqlite = new Database(':memory:');
  migrate(drizzle(sqlite), { migrationsFolder: fileURLToPath(new URL('../store/migrations', import.meta.url)) });
  const content = sqlite.serialize();
  sqlite.close();
  return content;
}

/** For programs; the test runner removes the folders of tests. */
export function removeDataFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** A clock that moves only when told to. */
export function aClock(start: string = '2026-11-18T10:00:00.000Z') {
  let nowMs = Date.parse(start);
  return {
    now: () => new Date(nowMs),
    pass: (ms: number): void => {
      nowMs += ms;
    },
  };
}

export interface OpenHost {
  host: Host;
  dataDir: string;
  ask: RouterClient<HostRouter>;
}

export async function openHost(options: Partial<HostOptions> = {}): Promise<OpenHost> {
  const dataDir = options.dataDir ?? aMigratedFolder();
  const host = await createHost({
    dataDir,
    serverUrl: null,
    scorer: aScriptedScorer(),
    clock: aClock(),
    chance: () => 0.5,
    timeZone: () => 'Europe/Berlin',
    loadCatalogue: aCatalogue,
    ...options,
  });
  return { host, dataDir, ask: createRouterClient(host.router) };
}

/** Opens a window with its own connection, which can close without notice. */
export function aWindow({ router }: OpenHost['host']): { ask: OpenHost['ask']; close: () => void } {
  const gone = new AbortController();
  return {
    ask: createRouterClient(router, { context: { windowClosed: gone.signal } }),
    close: () => gone.abort(),
  };
}

/** Creates the assessment of a text whose words have the given accuracy. */
export function anAssessment(text: string, accuracyOf: (word: string) => number = () => 90): Assessment {
  const words = text.replaceAll(/[.,]/g, '').split(' ');
  return {
    source: 'device',
    durationMs: words.length * 400,
    snrDb: 30,
    accuracy: 80,
    fluency: 70,
    prosody: 60,
    completeness: 100,
    pron: 74,
    words: words.map((word, index) => ({
      word,
      startMs: index * 400,
      endMs: index * 400 + 400,
      accuracy: accuracyOf(word),
      error: accuracyOf(word) < 60 ? 'Mispronunciation' : 'None',
      phonemes: [{ phoneme: 'l', startMs: index * 400, endMs: index * 400 + 400, accuracy: accuracyOf(word) }],
    })),
    pitch: [{ ms: 0, hz: 180 }],
    pauses: [],
  };
}

/** A scorer that recognises the first reply, or does what the test says. */
export function aScriptedScorer(
  script: {
    best?: () => number | null;
    assess?: (text: string) => Assessment;
    drafted?: () => Pick<Draft, 'words' | 'fit'>;
  } = {},
): SpeechScorer & { assessed: string[] } {
  const assessed: string[] = [];
  return {
    name: 'scripted',
    assessed,
    compare: async () => 'text',
    rank: async ({ texts }) => ({
      best: script.best === undefined ? 0 : script.best(),
      fits: texts.map((_, index) => -index * 2),
    }),
    startRecognition: (texts) => {
      let heardMs = 0;
      return {
        push: async (pcm) => {
          heardMs += pcm.length / 16;
          return { text: 0, spokenCharacters: Math.min(texts[0]?.length ?? 0, Math.floor(heardMs / 100)) };
        },
        close: () => undefined,
      };
    },
    transcribe: async () => ({ durationMs: 0, snrDb: null, fit: null, words: [], ...script.drafted?.() }),
    assess: async ({ text }) => {
      assessed.push(text);
      return (script.assess ?? anAssessment)(text);
    },
    close: async () => undefined,
  };
}

/** Creates a voice-like modulated tone: 16-bit PCM at 16 kHz. */
export function voiceLikePcm(ms: number): Uint8Array<ArrayBuffer> {
  const pcm = new Int16Array((ms / 1000) * 16_000);
  for (let index = 0; index < pcm.length; index += 1) {
    const seconds = index / 16_000;
    const isSyllable = seconds % 0.4 < 0.25;
    pcm[index] = isSyllable ? Math.round(6_000 * Math.sin(2 * Math.PI * 180 * seconds)) : (index % 7) - 3;
  }
  return new Uint8Array(pcm.buffer);
}

export const silentPcm = (ms: number): Uint8Array<ArrayBuffer> => new Uint8Array((ms / 1000) * 32_000);

/** Starts the practice that most tests use, with the guided coach. */
export const startPractice = ({ practice }: OpenHost['ask'], communicationStyle: 'text' | 'audio') =>
  practice.start({ practiceId: LATE_DELIVERY, difficulty: 'easy', communicationStyle });

const CHUNK_BYTES = 6_400;

/** Records a turn as the renderer does, in chunks of 200 ms. */
export async function recordTurn(
  ask: OpenHost['ask'],
  sessionId: string,
  pcm: Uint8Array<ArrayBuffer> = voiceLikePcm(2_000),
) {
  const session = { sessionId };
  const { turnId, recordingId } = await ask.practice.beginTurn(session);
  for (let seq = 0; seq * CHUNK_BYTES < pcm.byteLength; seq += 1) {
    const chunk = new Blob([pcm.slice(seq * CHUNK_BYTES, (seq + 1) * CHUNK_BYTES)]);
    await ask.practice.appendAudio({ sessionId, turnId, seq, pcm: chunk });
  }
  return { turnId, recordingId };
}

/** Records a turn and sends it to the coach. */
export async function sendRecordedTurn(ask: OpenHost['ask'], sessionId: string, pcm?: Uint8Array<ArrayBuffer>) {
  const turn = await recordTurn(ask, sessionId, pcm);
  await ask.practice.finishTurn({ sessionId, turnId: turn.turnId, hintLevel: 0 });
  await ask.practice.sendTurn({ sessionId, turnId: turn.turnId });
  return turn;
}

/** Runs a host that leaves a recording, an export, a token and a backup behind. */
export async function leaveFiles(dataDir: string): Promise<void> {
  const { host, ask } = await openHost({ dataDir });
  const practice = (await ask.catalogue.practices()).find(({ state }) => state !== 'coming_soon');
  if (practice === undefined) throw new Error('the catalogue has no practice that can be started');
  const { sessionId } = await ask.practice.start({
    practiceId: practice.practiceId,
    difficulty: 'easy',
    communicationStyle: 'audio',
  });
  await recordTurn(ask, sessionId);
  await ask.account.exportAll();
  await createFileVault(dataDir).write('a token');
  await host.whenIdle();
  await host.close();
}
