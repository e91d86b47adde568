/**
 * Generates spoken sessions in the form in which the product stores them. A session is a random walk through a dialogue
 * of the starter catalogue in which the learner says the written replies, so that there are as many turns and words as
 * in real practice. Sounds and times are those of the adults in the learner corpus (speechocean762): 0.81 sounds per
 * letter, and 0.22 s per sound, pauses included. Each word is scored and logged as an attempt, as after every practice.
 */
import { loadStarterCatalogue } from '@parley/catalogue';
import { type Assessment, packAssessment, type PackedAssessment, scoredWords, type ScoredWord } from '@parley/domain';
import { mulberry32 } from '../mulberry32.ts';

export interface SpokenTurn {
  conversationId: string;
  previousTurnId: string | null;
  role: 'coach' | 'learner';
  content: string;
  /** ISO time. */
  saidAt: string;
  node: string;
  /** What the scorer has measured; null for the coach. */
  assessment: PackedAssessment | null;
  attempts: readonly ScoredWord[];
}

type Chance = () => number;
type Dialogue = NonNullable<ReturnType<typeof loadStarterCatalogue>['practices'][number]['dialogue']>;

const SOUNDS_PER_LETTER = 0.81;
const MS_PER_SOUND = 220;
const PITCH_EVERY_MS = 60;
/** The share of sounds that are so unclear that the scorer reports others. */
const UNCLEAR_SHARE = 1 / 8;
const VOICED_SHARE = 0.6;
const MAX_ANSWERS = 20;
const SOUNDS = ['θ', 'ð', 'ɪ', 'ə', 'z', 'ŋ', 's', 'v', 'w', 'æ', 'n', 't', 'd', 'k', 'l', 'ɹ'] as const;
const DIFFICULTIES = ['easy', 'intermediate', 'hard'] as const;

const pick = <Value>(chance: Chance, from: readonly Value[]): Value => {
  const value = from[Math.floor(chance() * from.length)];
  if (value === undefined) throw new Error('there is nothing to pick from');
  return value;
};

let dialogues: Dialogue[] | null = null;

/** The dialogues of all practices that can be practised. */
function readDialogues(): Dialogue[] {
  dialogues ??= loadStarterCatalogue().practices.flatMap(({ dialogue }) => dialogue ?? []);
  return dialogues;
}

/** `newId` returns ids that sort by time. */
export function spokenTurns(index: number, { startMs, newId }: { startMs: number; newId: () => string }): SpokenTurn[] {
  const chance = mulberry32(500_000 + index);
  const dialogue = pick(chance, readDialogues());
  const difficulty = pick(chance, DIFFICULTIES);
  const nodes = new Map(dialogue.nodes.map((node) => [node.key, node]));
  const turns: SpokenTurn[] = [];
  let atMs = startMs;
  const say = (turn: Pick<SpokenTurn, 'role' | 'content' | 'node'>, heard: Assessment | null): void => {
    turns.push({
      ...turn,
      conversationId: newId(),
      previousTurnId: turns.at(-1)?.conversationId ?? null,
      saidAt: new Date(atMs).toISOString(),
      assessment: heard === null ? null : packAssessment(heard),
      attempts: heard === null ? [] : scoredWords(heard),
    });
    atMs += 8_000;
  };
  let node = nodes.get(dialogue.start);
  for (let answers = 0; node !== undefined && answers < MAX_ANSWERS; answers += 1) {
    say({ role: 'coach', content: node.say[difficulty], node: node.key }, null);
    const replies = node.replies[difficulty];
    if (replies.length === 0) break;
    const { text, next } = pick(chance, replies);
    say({ role: 'learner', content: text, node: node.key }, assess(text, chance));
    node = nodes.get(next);
  }
  return turns;
}

function assess(text: string, chance: Chance): Assessment {
  const score = (): number => Math.round(500 + chance() * 500) / 10;
  let atMs = 200;
  const words = text.split(' ').map((word) => {
    const startMs = atMs;
    const phonemes = Array.from({ length: Math.max(1, Math.round(word.length * SOUNDS_PER_LETTER)) }, () => {
      const isUnclear = chance() < UNCLEAR_SHARE;
      const sound = {
        phoneme: pick(chance, SOUNDS),
        startMs: atMs,
        endMs: atMs + MS_PER_SOUND,
        accuracy: isUnclear ? Math.round(chance() * 59) : 60 + Math.round(chance() * 40),
        ...(isUnclear
          ? {
              heardAs: [
                { phoneme: pick(chance, SOUNDS), likelihood: 0.6 },
                { phoneme: pick(chance, SOUNDS), likelihood: 0.2 },
              ],
            }
          : {}),
      };
      atMs += MS_PER_SOUND;
      return sound;
    });
    return { word, startMs, endMs: atMs, accuracy: score(), error: 'None' as const, phonemes };
  });
  const steps = Math.floor(atMs / PITCH_EVERY_MS);
  return {
    source: 'device',
    durationMs: atMs,
    snrDb: 20 + Math.round(chance() * 200) / 10,
    accuracy: score(),
    fluency: score(),
    prosody: score(),
    completeness: null,
    pron: score(),
    words,
    pitch: Array.from({ length: steps }, (_, step) => ({
      ms: step * PITCH_EVERY_MS,
      hz: 100 + Math.round(chance() * 120),
    })).filter(() => chance() < VOICED_SHARE),
    pauses: [],
  };
}
