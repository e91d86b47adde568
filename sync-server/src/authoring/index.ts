export { type Authoring, createAuthoring } from './authoring.ts';
export { createContentChanges } from './content-changes.ts';
export { type CoursePacks, createCoursePacks } from './packs/course-packs.ts';
export { findVideoProblem } from './packs/video-problems.ts';
export { createDraftPractice, type DraftPractice } from './draft-practice.ts';
export { createPostPreviews, type PostPreviews, PREVIEW_TOKEN } from './post-previews.ts';
export { createPracticeTexts, type PracticeTexts } from './practice-texts.ts';
export { createSpeakSample, createTryCoach, type SpeakSample, type TryCoach } from './try-coach.ts';
export { createTryPractice, type TryPractice } from './try-practice.ts';
