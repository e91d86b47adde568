/** Implements pronunciation assessment with Azure. Audio is streamed while the learner speaks and kept so that it can be sent again. */
import type { Assessment } from '@parley/domain';
import type { AssessmentRequest, OnRecognitionPass, PronunciationAssessor } from '../../../ports/speech/index.ts';
import { type AzureSpeechAccess, resolveTimeouts } from '../connection/speech-config.ts';
import { createAssessmentConfig } from './assessment-config.ts';
import { toAssessment, type MiscueSource, silentAssessment } from './to-assessment.ts';
import { createReplayableAudio, type ReplayableAudio } from '../recognition/replayable-audio.ts';
import { joinTexts, type Phrase, TICKS_PER_MS } from '../recognition/phrase.ts';
import { recognise, type RecognitionMode } from '../recognition/recognise.ts';
import { toSegment } from './segment.ts';
import { retryOnce } from '../connection/retry-once.ts';
import { hasSpeechAfter } from '../recognition/unrecognised-speech.ts';

/** "If your audio file exceeds 30 seconds, use continuous mode": Microsoft Learn, "Use pronunciation assessment". */
const CONTINUOUS_FROM_MS = 30_000;
/**
 * Before any audio arrives, the duration can only be estimated from the text. A learner reads about 100 words a minute.
 */
const CONTINUOUS_FROM_WORDS = 50;

interface Utterance {
  text: string;
  assessment: Assessment;
}

interface AssessmentContext {
  access: AzureSpeechAccess;
  audio: ReplayableAudio;
  signal: AbortSignal;
  heard: OnRecognitionPass;
}

export function createAzureAssessor(access: AzureSpeechAccess): PronunciationAssessor {
  return {
    name: 'azure',
    open: ({ referenceText, signal, heard }: AssessmentRequest) => {
      const audio = createReplayableAudio();
      const context = { access, audio, signal, heard };
      const result =
        referenceText === null || referenceText.trim() === ''
          ? assessFreeSpeech(context)
          : assessReadAloud(context, referenceText);
      // Callers receive a failure from `end`. A caller that never ends the utterance has no interest in it.
      result.catch(() => undefined);
      return {
        write: audio.write,
        end: () => {
          audio.end();
          return result;
        },
      };
    },
  };
}

function assessReadAloud(context: AssessmentContext, referenceText: string): Promise<Utterance> {
  const isLong = (referenceText.match(/\S+/g) ?? []).length > CONTINUOUS_FROM_WORDS;
  return assessAgainstText(context, {
    referenceText,
    mode: isLong ? 'continuous' : 'once',
    // Single-shot recognition marks miscues itself. Continuous recognition does not, but without the option "the recognized text will
    // always be reference text" (the SDK's PronunciationAssessmentConfig), so the comparison would find nothing.
    miscues: (mode) => (mode === 'once' ? { by: 'azure' } : { by: 'us', referenceText }),
  });
}

/**
 * "If you need assessment based on highly accurate recognized text, we recommend first calling Azure STT to obtain the reference text,
 * and then performing scripted assessment": Microsoft Learn, "Use pronunciation assessment". Free speech has no omissions, because there
 * is no text to omit words from.
 */
async function assessFreeSpeech(context: AssessmentContext): Promise<Utterance> {
  const { audio } = context;
  const phrases = await recogniseWithRetry(context, { mode: 'continuous', referenceText: null });
  const text = joinTexts(phrases);
  await audio.whenEnded;
  if (text === '') return { text, assessment: silentAssessment(audio.durationMs()) };
  const { assessment } = await assessAgainstText(context, {
    referenceText: text,
    mode: audio.durationMs() > CONTINUOUS_FROM_MS ? 'continuous' : 'once',
    miscues: () => ({ by: 'none' }),
  });
  return { text, assessment };
}

async function assessAgainstText(
  context: AssessmentContext,
  request: { referenceText: string; mode: RecognitionMode; miscues: (mode: RecognitionMode) => MiscueSource },
): Promise<Utterance> {
  const { audio } = context;
  const recogniseIn = (mode: RecognitionMode): Promise<Phrase[]> =>
    recogniseWithRetry(context, {
      mode,
      referenceText: request.referenceText,
      miscue: request.miscues(mode).by !== 'none',
    });

  let mode = request.mode;
  let phrases = await recogniseIn(mode);
  await audio.whenEnded;
  if (mode === 'once' && hasSpeechAfter(audio, recognisedUntilMs(phrases))) {
    mode = 'continuous';
    phrases = await recogniseIn(mode);
  }
  const segments = phrases.flatMap((phrase) => toSegment(phrase) ?? []);
  return {
    text: joinTexts(phrases),
    assessment: toAssessment(segments, { durationMs: audio.durationMs(), miscues: request.miscues(mode) }),
  };
}

/** Sends the whole utterance through the recogniser and retries once after a transient failure. */
function recogniseWithRetry(
  { access, audio, signal, heard }: AssessmentContext,
  request: { mode: RecognitionMode; referenceText: string | null; miscue?: boolean },
): Promise<Phrase[]> {
  const { mode, referenceText, miscue = false } = request;
  const assess = referenceText === null ? null : createAssessmentConfig(referenceText, { miscue });
  return retryOnce(() => recognise({ access, audio, mode, assess, signal, heard }), {
    pauseMs: resolveTimeouts(access).retryPauseMs,
    signal,
  });
}

/** Returns where the recogniser stopped listening, whether it recognised anything or not. */
const recognisedUntilMs = (phrases: readonly Phrase[]): number =>
  Math.max(0, ...phrases.map(({ Offset, Duration }) => ((Offset ?? 0) + (Duration ?? 0)) / TICKS_PER_MS));
