/**
 * Plays a draft of a coach with the configured language model, one turn at a time, and speaks a sample of its voice.
 * Nothing is stored.
 */
import { SPOKEN_SAMPLE_RATE_HZ } from '@parley/contract';
import { createModelCoach, type LanguageModel } from '@parley/coach/model';
import type { CoachVoice, DocumentOf } from '@parley/domain';
import { wavHeader } from '@parley/speech/wav';
import type { MeteredVoice } from '../coach/index.ts';
import { DomainError } from '../domain-error.ts';
import { LANGUAGE_MODEL_SETTINGS } from './draft-practice.ts';
import { toTurn } from './try-practice.ts';

export interface TryCoachRequest {
  document: DocumentOf<'coach'>;
  turns: readonly { role: 'coach' | 'learner'; text: string }[];
}

export type TryCoachResult =
  { status: 'said'; text: string; hasEnded: boolean } | { status: 'unavailable'; missing: string };

export type TryCoach = ReturnType<typeof createTryCoach>;

/** A conversation without objectives, in which a coach shows its character. */
const FIRST_TALK = {
  practice: {
    title: 'A first talk',
    scenario: 'Two colleagues meet for the first time, over coffee, and get to know each other.',
    learnerRole: 'A new colleague.',
    usefulWords: [],
  },
  learner: { firstName: null, level: null, jobTitle: null, industry: null },
  objectives: [],
  remembered: [],
  difficulty: 'intermediate',
} as const;

/** `modelFor` returns a model whose use is metered for the admin, or null when none is configured. */
export function createTryCoach({
  modelFor,
  now,
}: {
  modelFor: (userId: string) => LanguageModel | null;
  now: () => Date;
}) {
  return async (userId: string, { document, turns }: TryCoachRequest, signal: AbortSignal): Promise<TryCoachResult> => {
    const model = modelFor(userId);
    if (model === null) return { status: 'unavailable', missing: LANGUAGE_MODEL_SETTINGS };
    // The coach must not answer itself.
    if (turns.at(-1)?.role === 'coach') throw new DomainError('request.invalid', { field: 'turns' });
    const { name, communicationStyle, skills, characterTraits } = document;
    const coach = createModelCoach({
      ...FIRST_TALK,
      model,
      persona: { name, communicationStyle, skills, characterTraits },
    });
    const conversation = turns.map((turn) => toTurn({ ...turn, node: null, kind: 'line', fitted: true }, now()));
    for await (const event of coach.reply({ turns: conversation, completed: [] }, signal))
      if (event.type === 'line')
        return { status: 'said', text: event.line.text, hasEnded: event.line.kind === 'goodbye' };
    throw new Error('the coach said nothing');
  };
}

export type SpeakSample = ReturnType<typeof createSpeakSample>;

/** `speak` is null when no voice is configured. */
export function createSpeakSample(speak: MeteredVoice | null) {
  return async (
    userId: string,
    sample: { text: string; voice: CoachVoice },
    signal: AbortSignal,
  ): Promise<{ status: 'spoken'; wav: string } | { status: 'unavailable' }> => {
    if (speak === null) return { status: 'unavailable' };
    const pieces: Uint8Array[] = [];
    for await (const piece of speak(userId, { ...sample, signal })) pieces.push(piece);
    const pcm = Buffer.concat(pieces);
    const wav = Buffer.concat([wavHeader(pcm.byteLength, SPOKEN_SAMPLE_RATE_HZ), pcm]);
    return { status: 'spoken', wav: wav.toString('base64') };
  };
}
