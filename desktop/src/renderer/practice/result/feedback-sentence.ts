/** Turns the points of feedback into sentences in the learner's language, with the place where each can be heard. */
import { formatLocale, t } from '@parley/i18n';
import type { ResultView } from '@parley/contract';
import { typographic } from '@parley/ui';
import {
  type Correction,
  joinSentences,
  type FeedbackPoint,
  type LearnerTurn,
  readFeedbackText,
  type RecordingId,
  sentencesWith,
  sentenceWith,
} from '@parley/domain';
import { explain } from '../../foundation/language/explanations.tsx';
import { DIMENSION_MEANINGS, DIMENSION_NAMES } from '../../foundation/scores/dimension-names.ts';
import { clockTime } from '../../foundation/sentences/clock-time.ts';
import { mouthHint } from '../../foundation/sentences/mouth-hint.ts';
import { soundName } from '../../foundation/sentences/sound-name.ts';
import { unusableSentence } from '../../foundation/sentences/unusable-sentence.ts';
import { grammarSentence } from './grammar-sentence.ts';
import { occurrenceAt, wordsOfSentence } from './words-of-sentence.ts';

export interface ShownFeedback {
  /**
   * The sentence that the point is about, and the word to mark in it, in English. `occurrence` says which occurrence of
   * the word in the sentence is meant, counted from 0; null if unknown.
   */
  quote: { text: string; word: string | null; occurrence: number | null } | null;
  /** Null for a point from a newer version of the app. */
  sentence: string | null;
  /** The text of the coach, or of an older version of the app, in English. */
  coachText: string | null;
  clip: { recordingId: RecordingId; startMs: number; endMs: number } | null;
  /** How to form the weak sound with the mouth; null if the point is not about a sound. */
  hint: string | null;
}

/** The context that the sentences need. */
export type FeedbackContext = Pick<ResultView, 'feedback'> & {
  session: Pick<ResultView['session'], 'turns' | 'objectives'>;
};

const formatTime = (ms: number): string => clockTime(ms / 1_000);

const formatNumber = (value: number): string =>
  value.toLocaleString(formatLocale(), { minimumFractionDigits: 1, maximumFractionDigits: 1 });

export const listOf = (words: readonly string[]): string =>
  new Intl.ListFormat(formatLocale(), { type: 'conjunction' }).format(words.map((word) => `“${typographic(word)}”`));

export function showFeedback(stored: string, context: FeedbackContext): ShownFeedback {
  const { point, text } = readFeedbackText(stored);
  if (point === null) return { quote: null, sentence: null, coachText: text, clip: null, hint: null };
  return {
    sentence: pointSentence(point, context),
    coachText: text,
    ...placeOf(point, context),
    hint: point.code === 'sound' ? mouthHint(point.sound) : null,
  };
}

export const findTurn = ({ session }: FeedbackContext, turnId: string): LearnerTurn | null =>
  session.turns.find((turn): turn is LearnerTurn => turn.role === 'learner' && turn.turnId === turnId) ?? null;

function placeOf(point: FeedbackPoint, context: FeedbackContext): Pick<ShownFeedback, 'quote' | 'clip'> {
  if (!('turnId' in point) || point.turnId === null || point.turnId === undefined) return { quote: null, clip: null };
  const turn = findTurn(context, point.turnId);
  if (turn === null || turn.text === '') return { quote: null, clip: null };
  return { quote: quoteOf(point, turn), clip: clipOf(point, turn) };
}

/** A word may be said more than once, so its sentence is the one said at the time of the point. */
function quoteOf(point: FeedbackPoint, turn: LearnerTurn): NonNullable<ShownFeedback['quote']> {
  if (!('word' in point)) return { text: turn.text, word: null, occurrence: null };
  const { word } = point;
  const atMs = wordTimeMs(point);
  const assessed = turn.assessment?.words ?? [];
  for (const text of sentencesWith(word, turn.text)) {
    const words = wordsOfSentence(assessed, text, atMs);
    const occurrence = words === null ? null : occurrenceAt(words, word, atMs);
    if (occurrence !== null) return { text, word, occurrence };
  }
  return { text: sentenceWith(word, turn.text), word, occurrence: null };
}

/** A time within the word. The range of a pause begins with the word before it, but every range ends with its word. */
export const wordTimeMs = ({ endMs }: { endMs: number }): number => endMs - 1;

/** A point about a whole turn plays all of it. */
function clipOf(point: FeedbackPoint, { recordingId, assessment }: LearnerTurn): ShownFeedback['clip'] {
  if (recordingId === null) return null;
  if ('startMs' in point && point.startMs !== undefined && point.endMs !== undefined)
    return { recordingId, startMs: point.startMs, endMs: point.endMs };
  return assessment === null ? null : { recordingId, startMs: 0, endMs: assessment.durationMs };
}

function pointSentence(point: FeedbackPoint, context: FeedbackContext): string | null {
  switch (point.code) {
    case 'clear_sentence':
      return point.isEveryWordClear
        ? t('Every word of this sentence was clear: {score} of 100.', point)
        : t('This was your clearest sentence: {score} of 100.', point);
    case 'steady':
      return t('You didn’t pause inside a sentence. Your flow: {score} of 100.', { score: point.score });
    case 'best_dimension':
      return t('Your best score: {name}, {score} of 100.', {
        name: DIMENSION_NAMES[point.dimension],
        score: point.score,
      });
    case 'all_objectives':
      return t('You did everything you set out to do.');
    case 'objective_reached':
      return t('You reached this objective: {objective}', { objective: objectiveText(point, context) });
    case 'kept_going':
      return t('{count, plural, one {You answered once.} =2 {You answered twice.} other {You answered # times.}}', {
        count: point.turns,
      });
    case 'sound':
      return soundSentence(point);
    case 'word':
      return t('“{word}” wasn’t clear, at {time}: {score} of 100.', {
        score: point.score,
        word: typographic(point.word),
        time: formatTime(point.startMs),
      });
    case 'pause':
      return t('You paused for {seconds} s before “{word}”, at {time}. Try saying these words in one breath.', {
        word: typographic(point.word),
        seconds: formatNumber(point.pauseMs / 1000),
        time: formatTime(point.startMs),
      });
    case 'flat':
      return t(
        'Your voice stayed almost flat: its pitch moved by only {semitones} semitones. Make the most important word higher and longer.',
        { semitones: formatNumber(point.semitones) },
      );
    case 'left_out':
      return t('You left out {words}.', { words: listOf(point.words) });
    case 'weak_sentence':
      return joinSentences(t, [
        t('{name} was weakest in this sentence: {score} of 100.', {
          score: point.score,
          name: DIMENSION_NAMES[point.dimension],
        }),
        DIMENSION_MEANINGS[point.dimension],
      ]);
    case 'lowest_dimension':
      return joinSentences(t, [
        t('Your lowest score is {score}: {name}.', { score: point.score, name: DIMENSION_NAMES[point.dimension] }),
        DIMENSION_MEANINGS[point.dimension],
      ]);
    case 'correction': {
      const correction = context.feedback?.corrections?.[point.index];
      if (correction === undefined) return null;
      return readFeedbackText(correction.why).point?.code === 'grammar'
        ? t('You said “{said}”. You could say: “{better}”.', printed(correction))
        : t('You said “{said}”. A better way to say it: “{better}”.', printed(correction));
    }
    case 'grammar':
      return grammarSentence(point.rule);
    case 'not_scored':
      return unusableSentence({ reason: point.reason, cause: point.cause ?? undefined });
    case 'objective_open':
      return t('Still to do: {objective} {others, plural, =0 {} one {There’s one more.} other {There are # more.}}', {
        objective: objectiveText(point, context),
        others: point.others,
      }).trim();
    case 'hints':
      return t(
        '{turns, plural, one {You opened hints for one answer. Try it with fewer next time.} other {You opened hints for # answers. Try it with fewer next time.}}',
        point,
      );
    case 'nothing_to_fix':
      return t('Nothing stood out that needs work.');
    case 'not_measured':
      return t('Not enough was measured in this practice to suggest what to work on.');
    case 'nothing_said':
      return t('You stopped before your first answer. One short answer is enough to get started.');
    case 'review_words':
      return t('Say {words} again until every sound is clear.', { words: listOf(point.words) });
    case 'drill_sound':
      return t('Practise {sound} on its own.', { sound: soundName(point.sound) });
    case 'practice_with_sound': {
      const [one = '', other = ''] = point.words;
      return t('Practise {sound} in another conversation, with words like “{one}” and “{other}”.', {
        sound: soundName(point.sound),
        one,
        other,
      });
    }
    case 'shadow':
      return t('Say this sentence after the model voice.');
    case 'say_better': {
      const correction = context.feedback?.corrections?.[point.index];
      return correction === undefined ? null : t('Say “{better}” after the model voice.', printed(correction));
    }
    case 'again':
      return point.objectiveId === null
        ? t('Try the same practice again.')
        : t('Try it again, and aim for this: {objective}', {
            objective: objectiveText({ objectiveId: point.objectiveId }, context),
          });
    case 'by_voice':
      return t('Try the same practice by voice, so that your pronunciation is scored too.');
    case 'harder':
      return t('You’re ready for the same practice one level harder.');
    case 'another_practice':
      return t('You’ve finished this one. Choose another practice.');
    case 'check_microphone':
      return t('Check the microphone, then try the same practice again.');
    case 'session':
      return sessionSentence(point);
  }
}

const objectiveText = ({ objectiveId }: { objectiveId: string }, { session }: FeedbackContext): string => {
  const english = session.objectives.find((objective) => objective.objectiveId === objectiveId)?.description ?? '–';
  const { text, lang } = explain(english);
  if (/[.!?]$/.test(text)) return text;
  return lang === undefined && /^(ja|zh)/.test(formatLocale()) ? `${text}。` : `${text}.`;
};

const printed = ({ said, better }: Correction): { said: string; better: string } => ({
  said: typographic(said),
  better: typographic(better),
});

function soundSentence(point: Extract<FeedbackPoint, { code: 'sound' }>): string {
  const { word, score } = point;
  const values = { word: typographic(word), score, sound: soundName(point.sound), time: formatTime(point.startMs) };
  const sentence =
    point.heard === null
      ? t('In “{word}”, your {sound} wasn’t clear, at {time}. The word scored {score} of 100.', values)
      : t('In “{word}”, your {sound} sounded like {heard}, at {time}. The word scored {score} of 100.', {
          ...values,
          heard: soundName(point.heard),
        });
  return point.also.length === 0
    ? sentence
    : joinSentences(t, [sentence, t('It was the same in {words}.', { words: listOf(point.also) })]);
}

function sessionSentence({ turns, done, total, isJudged }: Extract<FeedbackPoint, { code: 'session' }>): string {
  if (turns === 0) return t('You ended it before your first answer.');
  const answered = t(
    '{count, plural, one {You answered once.} =2 {You answered twice.} other {You answered # times.}}',
    { count: turns },
  );
  if (!isJudged)
    return joinSentences(t, [answered, t('Parley couldn’t reach your coach to check which objectives you reached.')]);
  return total === 0
    ? answered
    : joinSentences(t, [answered, t('You reached {done} of {total} objectives.', { done, total })]);
}
