/** Azure's pronunciation assessment behind our port: heard while it is spoken, kept so that it can be heard again. */
import type { Assessment } from '@parley/domain';
import type { AssessmentWish, HeardPassed, PronunciationAssessor } from '../../speech/index.ts';
import { type AzureSpeechAccess, timeoutsOf } from './access.ts';
import { assessmentConfig } from './assessment-config.ts';
import { assessmentOf, type Miscues, silent } from './assessment-of.ts';
import { keepAudio, type KeptAudio } from './kept-audio.ts';
import { joinTexts, type Phrase, TICKS_A_MS } from './phrase.ts';
import { recognise, type RecognitionMode } from './recognise.ts';
import { segmentOf } from './segment.ts';
import { tryTwice } from './try-twice.ts';
import { hasSpeechAfter } from './unheard.ts';

/** "If your audio file exceeds 30 seconds, use continuous mode": Microsoft Learn, "Use pronunciation assessment". */
const CONTINUOUS_FROM_MS = 30_000;
/** Before the first sound only the text tells how long it will be: a learner reads about 100 words a minute. */
const CONTINUOUS_FROM_WORDS = 50;

interface Utterance {
  text: string;
  assessment: Assessment;
}

interface Listening {
  access: AzureSpeechAccess;
  audio: KeptAudio;
  signal: AbortSignal;
  heard: HeardPassed;
}

export function createAzureAssessor(access: AzureSpeechAccess): PronunciationAssessor {
  return {
    name: 'azure',
    open: ({ referenceText, signal, heard }: AssessmentWish) => {
      const audio = keepAudio();
      const listening = { access, audio, signal, heard };
      const assessed =
        referenceText === null || referenceText.trim() === ''
          ? assessFreeSpeech(listening)
          : assessReading(listening, referenceText);
      // Whoever ends the utterance hears of a failure; who never does has lost interest in it.
      assessed.catch(() => undefined);
      return {
        write: audio.write,
        end: () => {
          audio.end();
          return assessed;
        },
      };
    },
  };
}

function assessReading(listening: Listening, referenceText: string): Promise<Utterance> {
  const isLong = (referenceText.match(/\S+/g) ?? []).length > CONTINUOUS_FROM_WORDS;
  return assessAgainst(listening, {
    referenceText,
    mode: isLong ? 'continuous' : 'once',
    // Single-shot recognition marks miscues itself. Continuous recognition does not, but without the option "the recognized text will always
    // be reference text" (the SDK's PronunciationAssessmentConfig), in which nothing could be found.
    miscues: (mode) => (mode === 'once' ? { by: 'azure' } : { by: 'us', referenceText }),
  });
}

/**
 * "If you need assessment based on highly accurate recognized text, we recommend first calling Azure STT to obtain the reference text, and
 * then performing scripted assessment": Microsoft Learn, "Use pronunciation assessment". Nothing can be left out of what was said freely.
 */
async function assessFreeSpeech(listening: Listening): Promise<Utterance> {
  const { audio } = listening;
  const phrases = await pass(listening, { mode: 'continuous', referenceText: null });
  const text = joinTexts(phrases);
  await audio.whenEnded;
  if (text === '') return { text, assessment: silent(audio.durationMs()) };
  const { assessment } = await assessAgainst(listening, {
    referenceText: text,
    mode: audio.durationMs() > CONTINUOUS_FROM_MS ? 'continuous' : 'once',
    miscues: () => ({ by: 'nobody' }),
  });
  return { text, assessment };
}

async function assessAgainst(
  listening: Listening,
  asked: { referenceText: string; mode: RecognitionMode; miscues: (mode: RecognitionMode) => Miscues },
): Promise<Utterance> {
  const { audio } = listening;
  const hear = (mode: RecognitionMode): Promise<Phrase[]> =>
    pass(listening, { mode, referenceText: asked.referenceText, miscue: asked.miscues(mode).by !== 'nobody' });

  let mode = asked.mode;
  let phrases = await hear(mode);
  await audio.whenEnded;
  if (mode === 'once' && hasSpeechAfter(audio, endMsOf(phrases))) {
    mode = 'continuous';
    phrases = await hear(mode);
  }
  const segments = phrases.flatMap((phrase) => segmentOf(phrase) ?? []);
  return {
    text: joinTexts(phrases),
    assessment: assessmentOf(segments, { durationMs: audio.durationMs(), miscues: asked.miscues(mode) }),
  };
}

/** The whole utterance through the recogniser, twice where the first time fails for a reason that passes. */
function pass(
  { access, audio, signal, heard }: Listening,
  asked: { mode: RecognitionMode; referenceText: string | null; miscue?: boolean },
): Promise<Phrase[]> {
  const { mode, referenceText, miscue = false } = asked;
  const assess = referenceText === null ? null : assessmentConfig(referenceText, { miscue });
  return tryTwice(() => recognise({ access, audio, mode, assess, signal, heard }), {
    pauseMs: timeoutsOf(access).retryPauseMs,
    signal,
  });
}

/** Where the recogniser stopped listening, whether it understood what it heard or not. */
const endMsOf = (phrases: readonly Phrase[]): number =>
  Math.max(0, ...phrases.map(({ Offset, Duration }) => ((Offset ?? 0) + (Duration ?? 0)) / TICKS_A_MS));
