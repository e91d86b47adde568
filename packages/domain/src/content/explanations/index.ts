/** Explanations of what is wrong with documents and course packs. */
export { explain, Explanation, type ExplanationCode, explanationText } from './explanation.ts';
export { explainIssue } from './explain-issue.ts';
