/** A fixture with the fake, the three adapters connected to it, and a helper that sends an utterance. */
import type { Assessment } from '@parley/domain';
import { onTestFinished } from 'vitest';
import type { AzureSpeechAccess, AzureTimeouts } from '../connection/speech-config.ts';
import type { AssessmentRequest, RecognitionPass, Synthesiser } from '../../../ports/speech/index.ts';
import { createAzureAssessor, createAzureSynthesiser, createAzureTranscriber } from '../index.ts';
import { type AzureSpeechFakeOptions, startAzureSpeechFake } from '@parley/fakes/azure-speech/index.ts';

export const KEY = 'a-key-of-the-fake';

/** Long enough for a busy machine, short enough for tests of missing answers. */
const TEST_TIMEOUTS: AzureTimeouts = { connectMs: 2_000, answerMs: 2_000, retryPauseMs: 1 };

const PIECE_BYTES = 3_200;

export async function startAzureFixture(options: AzureSpeechFakeOptions = {}, timeouts: Partial<AzureTimeouts> = {}) {
  const fake = await startAzureSpeechFake({ key: KEY, ...options });
  onTestFinished(() => fake.close());
  const access = { key: KEY, endpoint: fake.endpoint, timeouts: { ...TEST_TIMEOUTS, ...timeouts } };
  const chargedPasses: RecognitionPass[] = [];
  let chargedUtterances = 0;
  const heard = async (pass: RecognitionPass): Promise<void> => void chargedPasses.push(pass);
  const spoken = async (): Promise<void> => {
    chargedUtterances += 1;
  };
  /** Opens a stream, over another access when one is given. */
  const open = (assessmentRequest: Omit<AssessmentRequest, 'heard'>, accessOverride: AzureSpeechAccess = access) =>
    createAzureAssessor(accessOverride).open({ ...assessmentRequest, heard });
  return {
    /** The charged recognition passes. */
    passes: chargedPasses,
    chargedUtteranceCount: () => chargedUtterances,
    fake,
    calls: fake.calls,
    access,
    assessor: { open },
    transcriber: {
      transcribe: ({ pcm, signal }: { pcm: Uint8Array; signal: AbortSignal }) =>
        createAzureTranscriber(access).transcribe({ pcm: [pcm], signal, heard }),
    },
    synthesiser: {
      speak: (request: Omit<Parameters<Synthesiser['speak']>[0], 'spoken'>) =>
        createAzureSynthesiser(access).speak({ ...request, spoken }),
    },
    /** Sends the whole utterance at once. */
    say: (
      pcm: Uint8Array,
      { referenceText, signal = new AbortController().signal }: { referenceText: string | null; signal?: AbortSignal },
    ): Promise<{ text: string; assessment: Assessment }> => {
      const stream = open({ referenceText, signal });
      for (const piece of chunkAudio(pcm)) stream.write(piece);
      return stream.end();
    },
  };
}

export function chunkAudio(pcm: Uint8Array): Uint8Array[] {
  return Array.from({ length: Math.ceil(pcm.length / PIECE_BYTES) }, (_, index) =>
    pcm.subarray(index * PIECE_BYTES, (index + 1) * PIECE_BYTES),
  );
}
