/** The twin, the three adapters on it, and an utterance from its first sound to its answer. */
import type { Assessment } from '@parley/domain';
import { onTestFinished } from 'vitest';
import type { AzureTimeouts } from '../access.ts';
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
  const assessor = createAzureAssessor(access);
  return {
    twin,
    calls: twin.calls,
    access,
    assessor,
    transcriber: createAzureTranscriber(access),
    synthesiser: createAzureSynthesiser(access),
    /** All of it spoken at once. */
    say: (
      pcm: Uint8Array,
      { referenceText, signal = new AbortController().signal }: { referenceText: string | null; signal?: AbortSignal },
    ): Promise<{ text: string; assessment: Assessment }> => {
      const stream = assessor.open({ referenceText, signal });
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
