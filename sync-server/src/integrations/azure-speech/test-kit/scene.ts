/** The twin, the three adapters on it, and an utterance from its first sound to its answer. */
import type { Assessment } from '@parley/domain';
import { onTestFinished } from 'vitest';
import type { AzureSpeechAccess, AzureTimeouts } from '../access.ts';
import type { AssessmentWish, HeardPass, Synthesiser, Transcriber } from '../../../speech/index.ts';
import { createAzureAssessor, createAzureSynthesiser, createAzureTranscriber } from '../index.ts';
import { type AzureSpeechTwinOptions, startAzureSpeechTwin } from '../twin/index.ts';

export const KEY = 'a-key-of-the-twin';

/** Long enough for a busy machine, short enough for a test of what never comes. */
const QUICK: AzureTimeouts = { connectMs: 2_000, answerMs: 2_000, retryPauseMs: 1 };

const PIECE_BYTES = 3_200;

export async function azureScene(options: AzureSpeechTwinOptions = {}, timeouts: Partial<AzureTimeouts> = {}) {
  const twin = await startAzureSpeechTwin({ key: KEY, ...options });
  onTestFinished(() => twin.close());
  const access = { key: KEY, endpoint: twin.endpoint, timeouts: { ...QUICK, ...timeouts } };
  const passes: HeardPass[] = [];
  let lines = 0;
  const heard = async (pass: HeardPass): Promise<void> => void passes.push(pass);
  const spoken = async (): Promise<void> => {
    lines += 1;
  };
  /** Over another access where it is given. */
  const open = (wish: Omit<AssessmentWish, 'heard'>, over: AzureSpeechAccess = access) =>
    createAzureAssessor(over).open({ ...wish, heard });
  return {
    /** What was charged. */
    passes,
    linesSpoken: () => lines,
    twin,
    calls: twin.calls,
    access,
    assessor: { open },
    transcriber: {
      transcribe: (asked: Omit<Parameters<Transcriber['transcribe']>[0], 'heard'>) =>
        createAzureTranscriber(access).transcribe({ ...asked, heard }),
    },
    synthesiser: {
      speak: (asked: Omit<Parameters<Synthesiser['speak']>[0], 'spoken'>) =>
        createAzureSynthesiser(access).speak({ ...asked, spoken }),
    },
    /** All of it spoken at once. */
    say: (
      pcm: Uint8Array,
      { referenceText, signal = new AbortController().signal }: { referenceText: string | null; signal?: AbortSignal },
    ): Promise<{ text: string; assessment: Assessment }> => {
      const stream = open({ referenceText, signal });
      for (const piece of piecesOf(pcm)) stream.write(piece);
      return stream.end();
    },
  };
}

export function piecesOf(pcm: Uint8Array): Uint8Array[] {
  return Array.from({ length: Math.ceil(pcm.length / PIECE_BYTES) }, (_, index) =>
    pcm.subarray(index * PIECE_BYTES, (index + 1) * PIECE_BYTES),
  );
}
