/** Builds the settings of a realtime session: instructions, voice and turn detection. */
import type { RealtimeAudioInputTurnDetection, RealtimeSessionCreateRequest } from 'openai/resources/realtime/realtime';
import type { CoachVoice } from '@parley/domain';
import type { RealtimeSessionOptions } from '../../../ports/speech/index.ts';
import { accentInstructions } from '../speech/voices.ts';

export interface SessionModels {
  /** The provider's model name. */
  model: string;
  /** The transcription model; null for a server that has none. */
  transcribeModel: string | null;
}

const PCM = { type: 'audio/pcm', rate: 24_000 } as const;
/** Audio from before the detected start of speech. */
const PREFIX_MS = 300;
/** Sixty words take about 500 tokens of audio and text; more than twice that is a monologue. */
const MAX_OUTPUT_TOKENS = 1_400;

export function toSessionRequest({ model, transcribeModel }: SessionModels, request: RealtimeSessionOptions) {
  const accent = accentInstructions(request.voice);
  return {
    type: 'realtime',
    model,
    output_modalities: ['audio'],
    instructions: accent === null ? request.instructions : `${request.instructions}\n\n${accent}`,
    max_output_tokens: MAX_OUTPUT_TOKENS,
    audio: {
      input: {
        format: PCM,
        // The learner may use a headset or a laptop; the milder noise reduction suits both.
        noise_reduction: { type: 'near_field' },
        turn_detection: toTurnDetection(request.patienceMs),
        ...(transcribeModel === null ? {} : { transcription: { model: transcribeModel, language: 'en' } }),
      },
      output: { format: PCM, voice: realtimeVoice(request.voice), speed: request.voice.rate },
    },
    tools: [
      {
        type: 'function',
        ...request.endFunction,
        parameters: { type: 'object', properties: {}, additionalProperties: false },
      },
    ],
    tool_choice: 'auto',
    // The learner waits for the first word. Only the second generation reasons at all.
    ...(model.startsWith('gpt-realtime-2') ? { reasoning: { effort: 'minimal' } } : {}),
  } satisfies RealtimeSessionCreateRequest;
}

/**
 * The provider only reports speech. The server decides whether the coach stops and when it answers, because the provider would stop at
 * every "mm-hm".
 */
const NO_AUTOMATIC_RESPONSE = { create_response: false, interrupt_response: false } as const;

function toTurnDetection(patienceMs: number | null): RealtimeAudioInputTurnDetection {
  return patienceMs === null
    ? { type: 'semantic_vad', eagerness: 'auto', ...NO_AUTOMATIC_RESPONSE }
    : { type: 'server_vad', silence_duration_ms: patienceMs, prefix_padding_ms: PREFIX_MS, ...NO_AUTOMATIC_RESPONSE };
}

/** Picks one of the realtime voices; the accent is part of the instructions. */
const realtimeVoice = ({ gender, locale }: CoachVoice): string => {
  const voices = {
    female: { 'en-GB': 'shimmer', 'en-AU': 'coral', other: 'marin' },
    male: { 'en-GB': 'ballad', 'en-AU': 'verse', other: 'cedar' },
  }[gender];
  return locale === 'en-GB' || locale === 'en-AU' ? voices[locale] : voices.other;
};
