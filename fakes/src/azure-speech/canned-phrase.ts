/** Builds the body of a `speech.phrase` in the shape that Azure documents ("Use pronunciation assessment", JSON result example). */
import { type CannedWord, cannedScore, phonemesFromSpelling } from './canned-words.ts';
import type { CallScript, ScriptedScores } from './script.ts';

export interface PhraseSpec {
  words: readonly CannedWord[];
  /** Position in the audio. */
  startMs: number;
  endMs: number;
  script: CallScript;
  scores: ScriptedScores;
  /** Null when only a transcript was requested. */
  requested: { nBestPhonemeCount: number; hasMiscue: boolean; hasProsody: boolean } | null;
}

const ticks = (ms: number): number => Math.round(ms * 10_000);

export function cannedPhrase(phrase: PhraseSpec): object {
  const { words, startMs, endMs, requested } = phrase;
  const spokenWords = words.filter(({ kind }) => kind !== 'omitted').map(({ word }) => word);
  const lexical = spokenWords.join(' ');
  const display = `${lexical.charAt(0).toUpperCase()}${lexical.slice(1)}.`;
  return {
    Id: 'fake',
    RecognitionStatus: 'Success',
    Offset: ticks(startMs),
    Duration: ticks(endMs - startMs),
    DisplayText: display,
    Channel: 0,
    ...(requested !== null && { SNR: 38.76819 }),
    NBest: [
      {
        Confidence: 0.97,
        Lexical: lexical,
        ITN: lexical,
        MaskedITN: lexical,
        Display: display,
        ...(requested !== null &&
          phrase.script.hears !== 'unscored' && { PronunciationAssessment: cannedScores(phrase) }),
        ...(requested !== null && {
          Words: placeWords(phrase).map((word, index) => cannedWord(word, { ...phrase, isFirst: index === 0 })),
        }),
      },
    ],
  };
}

function cannedScores({ words, script, scores, requested }: PhraseSpec): object {
  const said = words.filter(({ kind }) => kind === 'said').map(({ word }) => wordScore(word, script));
  const inText = words.filter(({ kind }) => kind !== 'inserted').length;
  const accuracy = scores.accuracy ?? said.reduce((sum, score) => sum + score, 0) / Math.max(1, said.length);
  const fluency = scores.fluency ?? 92;
  const prosody = scores.prosody === undefined ? 84.5 : scores.prosody;
  return {
    AccuracyScore: accuracy,
    FluencyScore: fluency,
    ...(requested?.hasProsody === true && prosody !== null && { ProsodyScore: prosody }),
    CompletenessScore: Math.min(100, (said.length / Math.max(1, inText)) * 100),
    PronScore: Math.min(accuracy, fluency),
  };
}

const wordScore = (word: string, script: CallScript): number => script.words?.[word]?.accuracy ?? cannedScore(word);

type PlacedWord = CannedWord & { offsetMs: number; durationMs: number };

/** Words follow each other, each as long as its number of phonemes. An omitted word takes no time. */
function placeWords({ words, startMs, endMs }: PhraseSpec): PlacedWord[] {
  const lengthOf = (word: CannedWord): number => (word.kind === 'omitted' ? 0 : phonemesFromSpelling(word.word).length);
  const total = words.reduce((sum, word) => sum + lengthOf(word), 0);
  let offsetMs = startMs;
  return words.map((word) => {
    const durationMs = ((endMs - startMs) * lengthOf(word)) / Math.max(1, total);
    const at = { ...word, offsetMs, durationMs };
    offsetMs += durationMs;
    return at;
  });
}

function cannedWord(
  { word, kind, offsetMs, durationMs }: PlacedWord,
  phrase: PhraseSpec & { isFirst: boolean },
): object {
  const { script, requested, isFirst } = phrase;
  const marksMiscues = requested?.hasMiscue === true;
  // An omitted word has no score and no phonemes.
  if (kind === 'omitted') return { Word: word, PronunciationAssessment: { ErrorType: 'Omission' } };
  const accuracy = wordScore(word, script);
  const error = kind === 'inserted' && marksMiscues ? 'Insertion' : accuracy < 60 ? 'Mispronunciation' : 'None';
  const sounds = phonemesFromSpelling(word);
  const soundMs = durationMs / Math.max(1, sounds.length);
  return {
    Word: word,
    Offset: ticks(offsetMs),
    Duration: ticks(durationMs),
    ...(script.hears !== 'unscored' && {
      PronunciationAssessment: {
        AccuracyScore: accuracy,
        ErrorType: error,
        ...(requested?.hasProsody === true && { Feedback: { Prosody: cannedProsody(word, isFirst, script) } }),
      },
    }),
    Phonemes: sounds.map((sound, index) => ({
      Phoneme: sound,
      PronunciationAssessment: {
        AccuracyScore: accuracy,
        NBestPhonemes: cannedCandidates(sound, index === 0 ? script.words?.[word]?.firstHeardAs : undefined, phrase),
      },
      Offset: ticks(offsetMs + index * soundMs),
      Duration: ticks(soundMs),
    })),
  };
}

/** Published answers for fluent speech have this confidence of a missing break on every word after the first, without a verdict. */
const FLUENT = { unexpected: 2.6e-8, missing: 0.99 };

function cannedProsody(word: string, isFirst: boolean, { words, monotone }: CallScript): object {
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

function cannedCandidates(sound: string, heardAs: string | undefined, { requested }: PhraseSpec): object[] {
  const others = ['ə', 't', 'n', 's', 'l', 'k'].filter((other) => other !== sound && other !== heardAs);
  const given = [
    ...(heardAs === undefined ? [] : [{ Phoneme: heardAs, Score: 100 }]),
    { Phoneme: sound, Score: heardAs === undefined ? 100 : 47 },
    ...others.map((other, index) => ({ Phoneme: other, Score: 30 - index * 5 })),
  ];
  return given.slice(0, requested?.nBestPhonemeCount ?? 0);
}
