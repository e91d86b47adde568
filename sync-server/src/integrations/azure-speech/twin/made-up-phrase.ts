/** The body of a made-up `speech.phrase`, in the shape that Azure documents ("Use pronunciation assessment", JSON result example). */
import { type MadeUpWord, madeUpScore, soundsOf } from './made-up-words.ts';
import type { TwinCallScript, TwinScores } from './script.ts';

export interface PhraseToMake {
  words: readonly MadeUpWord[];
  /** Where in the sound. */
  startMs: number;
  endMs: number;
  script: TwinCallScript;
  scores: TwinScores;
  /** Null where only a transcript was asked for. */
  asked: { nBestPhonemeCount: number; hasMiscue: boolean; hasProsody: boolean } | null;
}

const ticks = (ms: number): number => Math.round(ms * 10_000);

export function madeUpPhrase(phrase: PhraseToMake): object {
  const { words, startMs, endMs, asked } = phrase;
  const heard = words.filter(({ kind }) => kind !== 'omitted').map(({ word }) => word);
  const lexical = heard.join(' ');
  const display = `${lexical.charAt(0).toUpperCase()}${lexical.slice(1)}.`;
  return {
    Id: 'twin',
    RecognitionStatus: 'Success',
    Offset: ticks(startMs),
    Duration: ticks(endMs - startMs),
    DisplayText: display,
    Channel: 0,
    ...(asked !== null && { SNR: 38.76819 }),
    NBest: [
      {
        Confidence: 0.97,
        Lexical: lexical,
        ITN: lexical,
        MaskedITN: lexical,
        Display: display,
        ...(asked !== null && phrase.script.hears !== 'unscored' && { PronunciationAssessment: scoresOf(phrase) }),
        ...(asked !== null && {
          Words: placed(phrase).map((word, index) => wordOf(word, { ...phrase, isFirst: index === 0 })),
        }),
      },
    ],
  };
}

function scoresOf({ words, script, scores, asked }: PhraseToMake): object {
  const said = words.filter(({ kind }) => kind === 'said').map(({ word }) => scoreOfWord(word, script));
  const inText = words.filter(({ kind }) => kind !== 'inserted').length;
  const accuracy = scores.accuracy ?? said.reduce((sum, score) => sum + score, 0) / Math.max(1, said.length);
  const fluency = scores.fluency ?? 92;
  const prosody = scores.prosody === undefined ? 84.5 : scores.prosody;
  return {
    AccuracyScore: accuracy,
    FluencyScore: fluency,
    ...(asked?.hasProsody === true && prosody !== null && { ProsodyScore: prosody }),
    CompletenessScore: Math.min(100, (said.length / Math.max(1, inText)) * 100),
    PronScore: Math.min(accuracy, fluency),
  };
}

const scoreOfWord = (word: string, script: TwinCallScript): number =>
  script.words?.[word]?.accuracy ?? madeUpScore(word);

type Placed = MadeUpWord & { offsetMs: number; durationMs: number };

/** As long as they have sounds, one after the other; who left a word out took no time for it. */
function placed({ words, startMs, endMs }: PhraseToMake): Placed[] {
  const lengthOf = (word: MadeUpWord): number => (word.kind === 'omitted' ? 0 : soundsOf(word.word).length);
  const total = words.reduce((sum, word) => sum + lengthOf(word), 0);
  let offsetMs = startMs;
  return words.map((word) => {
    const durationMs = ((endMs - startMs) * lengthOf(word)) / Math.max(1, total);
    const at = { ...word, offsetMs, durationMs };
    offsetMs += durationMs;
    return at;
  });
}

function wordOf({ word, kind, offsetMs, durationMs }: Placed, phrase: PhraseToMake & { isFirst: boolean }): object {
  const { script, asked, isFirst } = phrase;
  const isTold = asked?.hasMiscue === true;
  // A word that was left out has no score and no sounds.
  if (kind === 'omitted') return { Word: word, PronunciationAssessment: { ErrorType: 'Omission' } };
  const accuracy = scoreOfWord(word, script);
  const error = kind === 'inserted' && isTold ? 'Insertion' : accuracy < 60 ? 'Mispronunciation' : 'None';
  const sounds = soundsOf(word);
  const soundMs = durationMs / Math.max(1, sounds.length);
  return {
    Word: word,
    Offset: ticks(offsetMs),
    Duration: ticks(durationMs),
    ...(script.hears !== 'unscored' && {
      PronunciationAssessment: {
        AccuracyScore: accuracy,
        ErrorType: error,
        ...(asked?.hasProsody === true && { Feedback: { Prosody: prosodyOf(word, isFirst, script) } }),
      },
    }),
    Phonemes: sounds.map((sound, index) => ({
      Phoneme: sound,
      PronunciationAssessment: {
        AccuracyScore: accuracy,
        NBestPhonemes: candidates(sound, index === 0 ? script.words?.[word]?.firstHeardAs : undefined, phrase),
      },
      Offset: ticks(offsetMs + index * soundMs),
      Duration: ticks(soundMs),
    })),
  };
}

/** Published answers for fluent speech have this confidence of a missing break on every word after the first, without a verdict. */
const FLUENT = { unexpected: 2.6e-8, missing: 0.99 };

function prosodyOf(word: string, isFirst: boolean, { words, monotone }: TwinCallScript): object {
  const { unexpectedBreak, missingBreak } = words?.[word] ?? {};
  const verdicts = [
    ...(unexpectedBreak === undefined ? [] : ['UnexpectedBreak']),
    ...(missingBreak === undefined ? [] : ['MissingBreak']),
  ];
  return {
    Break: {
      ErrorTypes: verdicts.length === 0 ? ['None'] : verdicts,
      BreakLength: 0,
      ...(!isFirst && {
        UnexpectedBreak: { Confidence: unexpectedBreak ?? FLUENT.unexpected },
        MissingBreak: { Confidence: missingBreak ?? FLUENT.missing },
      }),
    },
    Intonation: {
      ErrorTypes: monotone?.verdict === true ? ['Monotone'] : [],
      Monotone: {
        ...(monotone?.confidence !== undefined && { Confidence: monotone.confidence }),
        SyllablePitchDeltaConfidence: 0.91385907,
      },
    },
  };
}

function candidates(sound: string, heardAs: string | undefined, { asked }: PhraseToMake): object[] {
  const others = ['ə', 't', 'n', 's', 'l', 'k'].filter((other) => other !== sound && other !== heardAs);
  const told = [
    ...(heardAs === undefined ? [] : [{ Phoneme: heardAs, Score: 100 }]),
    { Phoneme: sound, Score: heardAs === undefined ? 100 : 47 },
    ...others.map((other, index) => ({ Phoneme: other, Score: 30 - index * 5 })),
  ];
  return told.slice(0, asked?.nBestPhonemeCount ?? 0);
}
