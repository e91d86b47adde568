/** Configures which scores Azure measures. */
import {
  PronunciationAssessmentConfig,
  PronunciationAssessmentGradingSystem,
  PronunciationAssessmentGranularity,
} from 'microsoft-cognitiveservices-speech-sdk';

/** Number of candidates per phoneme. An assessment stores this many. */
const PHONEME_CANDIDATES = 5;

export function createAssessmentConfig(
  referenceText: string,
  { miscue }: { miscue: boolean },
): PronunciationAssessmentConfig {
  const config = new PronunciationAssessmentConfig(
    referenceText,
    PronunciationAssessmentGradingSystem.HundredMark,
    PronunciationAssessmentGranularity.Phoneme,
    miscue,
  );
  config.phonemeAlphabet = 'IPA';
  config.nbestPhonemeCount = PHONEME_CANDIDATES;
  config.enableProsodyAssessment = true;
  return config;
}
