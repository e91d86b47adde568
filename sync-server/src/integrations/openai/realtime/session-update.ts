/** How a session is set up: who speaks, in which voice, and who decides when a turn is over. */
import type { RealtimeAudioInputTurnDetection, RealtimeSessionCreateRequest } from 'openai/resources/realtime/realtime';
import type { CoachVoice } from '@parley/domain';
import type { RealtimeWish } from '../../../speech/index.ts';
import { accentOf } from '../voices.ts';

export interface SessionModels {
  /** As the provider calls it. */
  model: string;
  /** Writes down what the learner says; null for a server that has none. */
  transcribeModel: string | null;
}

const PCM = { type: 'audio/pcm', rate: 24_000 } as const;
/** Sound from before the provider noticed that somebody speaks. */
const PREFIX_MS = 300;
/** Sixty words take about 500 tokens of sound and text; more than twice that is a monologue. */
const MAX_OUTPUT_TOKENS = 1_400;

export function sessionOf({ model, transcribeModel }: SessionModels, wish: RealtimeWish) {
  const accent = accentOf(wish.voice);
  return {
    type: 'realtime',
    model,
    output_modalities: ['audio'],
    instructions: accent === null ? wish.instructions : `${wish.instructions}\n\n${accent}`,
    max_output_tokens: MAX_OUTPUT_TOKENS,
    audio: {
      input: {
        format: PCM,
        // A headset or a laptop: the milder of the two does no harm to either.
        noise_reduction: { type: 'near_field' },
        turn_detection: turnDetectionOf(wish.patienceMs),
        ...(transcribeModel === null ? {} : { transcription: { model: transcribeModel, language: 'en' } }),
      },
      output: { format: PCM, voice: realtimeVoice(wish.voice), speed: wish.voice.rate },
    },
    tools: [
      {
        type: 'function',
        ...wish.endFunction,
        parameters: { type: 'object', properties: {}, additionalProperties: false },
      },
    ],
    tool_choice: 'auto',
    // A learner waits for the first word; only the second generation thinks at all.
    ...(model.startsWith('gpt-realtime-2') ? { reasoning: { effort: 'minimal' } } : {}),
  } satisfies RealtimeSessionCreateRequest;
}

/**
 * The provider only tells us when somebody speaks. Whether the coach stops for it, and when it answers, is decided here: by itself it would stop
 * at every "mm-hm".
 */
const OURS = { create_response: false, interrupt_response: false } as const;

function turnDetectionOf(patienceMs: number | null): RealtimeAudioInputTurnDetection {
  return patienceMs === null
    ? { type: 'semantic_vad', eagerness: 'auto', ...OURS }
    : { type: 'server_vad', silence_duration_ms: patienceMs, prefix_padding_ms: PREFIX_MS, ...OURS };
}

/** The voices of the realtime models; the accent is in the instructions. */
const realtimeVoice = ({ gender, locale }: CoachVoice): string => {
  const voices = {
    female: { 'en-GB': 'shimmer', 'en-AU': 'coral', other: 'marin' },
    male: { 'en-GB': 'ballad', 'en-AU': 'verse', other: 'cedar' },
  }[gender];
  return locale === 'en-GB' || locale === 'en-AU' ? voices[locale] : voices.other;
};
