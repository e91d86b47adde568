/**
 * Names a place in a document as the editor does. Names that an author gave, such as those of steps, are left
 * unchanged.
 */
import { t } from '@parley/i18n';

const FIELD_NAMES: Readonly<Partial<Record<string, string>>> = {
  agentId: t('Coach'),
  author: t('Author'),
  availability: t('Learners see it as'),
  avatar: t('Picture'),
  category: t('Category'),
  characterTraits: t('Traits'),
  communicationStyle: t('How the coach talks'),
  content: t('Text'),
  cover: t('Cover'),
  description: t('Description'),
  easy: t('Easy'),
  excerpt: t('Excerpt'),
  fileUrl: t('The video'),
  hard: t('Hard'),
  hint: t('Hint'),
  intermediate: t('Medium'),
  items: t('Practices and videos'),
  level: t('Level'),
  manner: t('Phrases'),
  meaning: t('Meaning'),
  minutes: t('Minutes'),
  name: t('Name'),
  objectives: t('Objectives'),
  publishAt: t('When it appears'),
  rephrase: t('In simpler words'),
  replies: t('The learner may answer'),
  role: t('Who the learner is'),
  say: t('The coach says'),
  scenario: t('Scenario'),
  script: t('Dialogue'),
  sections: t('Sections'),
  skills: t('Skills'),
  slug: t('Web address'),
  status: t('Learners see it as'),
  summary: t('Summary'),
  tags: t('Tags'),
  title: t('Title'),
  to: t('Then the coach goes to'),
  transcript: t('Transcript'),
  understanding: t('Free answers'),
  voice: t('Voice'),
  words: t('Useful words'),
};

/** Path steps that add nothing to the step before or after them. */
const LEFT_OUT: ReadonlySet<string | number> = new Set(['nodes', 'intents', 'word']);
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

export const placeName = (path: readonly (string | number)[]): string =>
  path
    .filter((step) => !LEFT_OUT.has(step) && !(typeof step === 'string' && UUID.test(step)))
    .map((step) => (typeof step === 'number' ? String(step + 1) : (FIELD_NAMES[step] ?? step)))
    .join(' › ');

/** Each name once, because parts that authors add, such as sections, share theirs. */
export const placeNames = (paths: readonly (readonly (string | number)[])[]): string[] => [
  ...new Set(paths.map(placeName)),
];
