/** Entities, enumerations and business rules: pure, without I/O, clock or randomness. */
export * from './assert-never.ts';
export * from './parse-json.ts';
export * from './scoring/assessment.ts';
export * from './scoring/align-voices.ts';
export * from './scoring/compare-voices.ts';
export * from './billing/current-subscription.ts';
export * from './billing/coach-budget.ts';
export * from './content/documents.ts';
export * from './content/explanations/index.ts';
export * from './content/markdown-complexity.ts';
export * from './content/media-address.ts';
export * from './content/reading-minutes.ts';
export { isSlowPattern } from './content/slow-pattern.ts';
export * from './content/practice-document.ts';
export * from './content/web-vtt.ts';
export * from './time/daytime.ts';
export * from './sync/derived-ids.ts';
export * from './entity/index.ts';
export * from './enumerations.ts';
export * from './sync/hybrid-clock.ts';
export * from './ids.ts';
export * from './learning/course-access.ts';
export * from './learning/course-progress.ts';
export * from './learning/day-totals.ts';
export * from './learning/find-word.ts';
export * from './learning/practised-days.ts';
export * from './learning/review-schedule.ts';
export * from './learning/score-trend.ts';
export * from './learning/sound-progress.ts';
export * from './learning/sentence-with.ts';
export * from './learning/suggest-level-change.ts';
export * from './learning/word-attempt.ts';
export * from './learning/word-card.ts';
export { LOG_COUNT_KEY } from './learning/word-counts.ts';
export {
  continueWord,
  replayWord,
  TRAIN_PHONEME_BELOW,
  TRAIN_WORD_BELOW,
  wentWrong,
  WORD_STATE_VERSION,
  WORD_STATUSES,
  WordClip,
  WordState,
  type WordStatus,
} from './learning/word-state.ts';
export * from './machine.ts';
export * from './account/account-deletion.ts';
export * from './translate.ts';
export * from './account/csv.ts';
export * from './account/full-name.ts';
export * from './school/school-identity.ts';
export * from './billing/format-money.ts';
export * from './scoring/packed-assessment.ts';
export * from './account/live-access.ts';
export * from './time/local-day.ts';
export * from './time/wall-time.ts';
export * from './billing/plans.ts';
export * from './practice/cast-coach.ts';
export * from './practice/coach-character.ts';
export * from './practice/estimate-heard-text.ts';
export * from './practice/coach-reply.ts';
export * from './practice/conversation.ts';
export * from './practice/dialogue.ts';
export * from './practice/feedback-point.ts';
export { isLanguageJudged } from './practice/judged-language.ts';
export * from './practice/practice-status.ts';
export {
  changedWords,
  MAX_PRONUNCIATION_WORDS,
  mergePronunciationWords,
  PronunciationWord,
} from './practice/pronunciation-list.ts';
export * from './practice/split-for-speech.ts';
export * from './practice/start-difficulty.ts';
export * from './practice/turn-row.ts';
export * from './account/reminders.ts';
export * from './result.ts';
export * from './service-failure.ts';
export * from './scoring/scores.ts';
export * from './scoring/suggest-level.ts';
export * from './sync/correct-clock.ts';
export * from './sync/field-clocks.ts';
export * from './sync/merge-row.ts';
