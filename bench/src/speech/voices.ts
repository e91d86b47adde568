/** Synthetic voices from programs that Debian packages, for speech whose content is known. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createVoice } from '../../../desktop/src/host/voice/index.ts';
import { parseWav } from '@parley/speech';
import { hasProgram } from '@parley/test-kit';

const run = promisify(execFile);

export interface SyntheticVoice {
  name: string;
  /** Returns 16 kHz mono samples. */
  say: (text: string) => Promise<Float32Array>;
}

export const NO_VOICES = 'needs espeak-ng and flite';

function samplesOf(wav: Uint8Array): Float32Array {
  const parsed = parseWav(wav);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.value.pcm;
}

const espeak = (name: string): SyntheticVoice => ({
  name: `eSpeak ${name}`,
  say: async (text) => {
    const { stdout } = await run('espeak-ng', ['-v', name, '-s', '150', '--stdout', text], {
      encoding: 'buffer',
      maxBuffer: 64 * 1024 * 1024,
    });
    return samplesOf(stdout);
  },
});

const flite = (name: string): SyntheticVoice => ({
  name: `Flite ${name}`,
  say: async (text) => {
    const dir = await mkdtemp(join(tmpdir(), 'parley-voice-'));
    try {
      await run('flite', ['-voice', name, '-t', text, '-o', join(dir, 'said.wav')]);
      return samplesOf(await readFile(join(dir, 'said.wav')));
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  },
});

/** The network was trained on Flite's voices and on en-us, saying other sentences; the Scottish voice is new to it. */
const VOICES: readonly SyntheticVoice[] = [flite('slt'), flite('rms'), espeak('en-us'), espeak('en-gb-scotland')];

/** Null if the programs are missing. */
export const syntheticVoices = (): readonly SyntheticVoice[] | null =>
  hasProgram('espeak-ng') && hasProgram('flite') ? VOICES : null;

const MODEL_VOICE = { gender: 'female', locale: 'en-US', rate: 1, pitch: 1 } as const;

/** Runs `use` with the voice that ships with the app as its model voice. */
export async function withModelVoice<Result>(use: (voice: SyntheticVoice) => Promise<Result>): Promise<Result> {
  const voice = createVoice({
    logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
    coach: {
      synthesise: () => {
        throw new Error('offline');
      },
    },
  });
  try {
    return await use({
      name: 'the model voice of the app',
      say: async (text) => {
        const spoken = await voice.speak({ text, voice: MODEL_VOICE, rate: 1 });
        if (!spoken.ok) throw new Error(`the model voice cannot say “${text}”: ${spoken.error.code}`);
        return samplesOf(spoken.value);
      },
    });
  } finally {
    await voice.close();
  }
}
