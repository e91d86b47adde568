/** Fills a device with years of sessions and attempts, as if they had been practised. */
import { inDatabase } from '../../../desktop/src/host/test-kit/read-database.ts';
import { COACH, LATE_DELIVERY } from '../../../desktop/src/host/test-kit/test-catalogue.ts';
import { type Random, seededRandom } from '../torture/seeded-random.ts';

const DAY_MS = 86_400_000;
const SESSIONS_PER_DAY = 4;
const SOUNDS = [...'θðɪɹzŋsʃvwæʌʊlnmtdkpbfgheioua'];
const WORD_COUNT = 3_000;

const aWord = (index: number): string => `word${index}`;

/** The words that are said most often, as a sentence. */
export const commonSentence = (words: number): string =>
  Array.from({ length: words }, (_, index) => aWord(index)).join(' ');

/** The cumulative share of each word in speech: Zipf's law with Mandelbrot's offset of 2.7. */
const CUMULATIVE_SHARES = cumulativeShares();

function cumulativeShares(): number[] {
  const shares = Array.from({ length: WORD_COUNT }, (_, index) => 1 / (index + 1 + 2.7));
  const total = shares.reduce((sum, share) => sum + share, 0);
  let sum = 0;
  return shares.map((share) => (sum += share / total));
}

const someWord = (random: Random): string => {
  const drawn = random.next();
  return aWord(CUMULATIVE_SHARES.findIndex((share) => share > drawn));
};

export interface HistorySize {
  sessions: number;
  attempts: number;
  /** The last day of the history. */
  until: Date;
}

/** The host must be closed; it computes the words and days when it is next opened. */
export function seedHistory(dataDir: string, { sessions, attempts, until }: HistorySize): void {
  const random = seededRandom(7);
  const firstMs = until.getTime() - Math.ceil(sessions / SESSIONS_PER_DAY) * DAY_MS;
  const atOf = (session: number): number => firstMs + Math.floor(session * (DAY_MS / SESSIONS_PER_DAY));
  inDatabase(dataDir, (sqlite) => {
    const userId = sqlite.prepare<[], string>('SELECT user_id FROM sync_state').pluck().get() ?? '';
    const insertSession = sqlite.prepare(
      `INSERT INTO practice_history (id, practice_id, user_id, agent_id, created_at, updated_at, sync_version, score,
         accuracy_score, fluency_score, prosody_score, completeness_score, pron_score, entire_conversation,
         completed_objectives, duration, communication_style, status, difficulty)
       VALUES (?, ?, ?, ?, ?, ?, 0, 80, ?, ?, ?, ?, 78, '[]', '[]', ?, 'audio', 'completed', 'easy')`,
    );
    const insertAttempt = sqlite.prepare(
      `INSERT INTO word_attempts (id, user_id, kind, at, day, word, ipa, accuracy, source, session_id, sentence, phonemes,
         created_at, updated_at, grade, sync_version)
       VALUES (?, ?, ?, ?, ?, ?, 'wɜːd', ?, ?, ?, ?, ?, ?, ?, ?, 0)`,
    );
    sqlite.transaction(() => {
      for (let index = 0; index < sessions; index += 1) {
        const at = atOf(index);
        const growth = (25 * index) / sessions;
        const score = (base: number): number => Math.round((base + growth + random.next() * 12) * 10) / 10;
        const id = random.uuid();
        insertSession.run(
          id,
          LATE_DELIVERY,
          userId,
          COACH,
          at,
          at,
          score(52),
          score(60),
          random.happens(0.1) ? null : score(58),
          Math.min(100, score(74)),
          random.int(120, 600),
        );
        const own = Math.floor(((index + 1) * attempts) / sessions) - Math.floor((index * attempts) / sessions);
        for (let place = 0; place < own; place += 1)
          insertAttempt.run(...anAttempt(random, { userId, id, at, growth }));
      }
    })();
    // Simulates an upgrade, after which everything derived from the log is recomputed.
    sqlite.prepare("UPDATE sync_state SET own_schema = 'older'").run();
  });
}

function anAttempt(random: Random, of: { userId: string; id: string; at: number; growth: number }): unknown[] {
  const isReview = random.happens(0.1);
  const word = someWord(random);
  const phonemes = Array.from({ length: random.int(3, 6) }, () => {
    const sound = random.int(0, SOUNDS.length - 1);
    return [SOUNDS[sound], Math.min(100, Math.round(40 + sound * 1.6 + of.growth * 0.6 + random.int(-15, 15))), null];
  });
  const accuracy = random.int(35, 100);
  return [
    random.uuid(),
    of.userId,
    isReview ? 'graded' : 'attempt',
    of.at,
    new Date(of.at).toISOString().slice(0, 10),
    word,
    accuracy,
    isReview ? 'review' : 'session',
    isReview ? null : of.id,
    `This sentence contains ${word} somewhere in its middle.`,
    JSON.stringify(isReview ? [] : phonemes),
    of.at,
    of.at,
    isReview ? (accuracy >= 80 ? 'good' : 'again') : null,
  ];
}
