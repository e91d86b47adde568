/** Finds what keeps a document from being published, and what could be better, each with its place. */
import {
  type AnyContent,
  type ContentFinding,
  Dialogue,
  type DocumentOf,
  entities,
  type EntityKey,
  explain,
  explainIssue,
  type Explanation,
  type ExplanationCode,
  isDayOfChoice,
  isMarkdownTooComplex,
  isSlowPattern,
  isWebVtt,
  mediaIdOf,
  parseWebVtt,
  partialRowSchema,
  PostTag,
} from '@parley/domain';
import { coachRow, courseRow, postRow, videoRow } from './document-rows.ts';
import { scriptToDialogue } from './script.ts';
import { findScriptFindings } from './script-findings.ts';
import { isStorable } from './storable-text.ts';

type Path = (string | number)[];
const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const MIN_PHRASES = 2;

const error = (path: Path, explanation: Explanation): ContentFinding => ({
  severity: 'error',
  path,
  node: null,
  ...explanation,
});
const advice = (path: Path, explanation: Explanation): ContentFinding => ({
  severity: 'advice',
  path,
  node: null,
  ...explanation,
});

/** Looks at the document alone. The server checks whether its references are published. */
export function findDocumentFindings(content: AnyContent): ContentFinding[] {
  switch (content.kind) {
    case 'industry':
      return [...required(content.document, { name: 'industry.name_missing' }), ...unstorable(content.document)];
    case 'coach':
      return [
        ...coachFindings(content.document),
        ...boundsOf('aiAgentProfiles', coachRow(content.id, content.document)),
      ];
    case 'video':
      return [...videoFindings(content.document), ...boundsOf('videos', videoRow(content.id, content.document))];
    case 'practice':
      return [...practiceFindings(content.document), ...unstorable(content.document)];
    case 'course':
      return [...courseFindings(content.document), ...boundsOf('courses', courseRow(content.id, content.document))];
    case 'post':
      return [
        ...postFindings(content.document),
        ...boundsOf('blogPosts', postRow(content.id, content.document, new Date(0))),
      ];
    default:
      return content satisfies never;
  }
}

function required<Document extends object>(
  document: Document,
  codes: { [Field in keyof Document]?: ExplanationCode },
): ContentFinding[] {
  return (Object.entries(codes) as [string, ExplanationCode][]).flatMap(([field, code]) => {
    const value = document[field as keyof Document];
    return typeof value === 'string' && value.trim() === '' ? [error([field], { code, values: {} })] : [];
  });
}

function coachFindings(coach: DocumentOf<'coach'>): ContentFinding[] {
  return [
    ...required(coach, {
      name: 'coach.name_missing',
      communicationStyle: 'coach.style_missing',
      avatar: 'coach.picture_missing',
    }),
    ...(coach.skills.length === 0 ? [error(['skills'], explain('coach.skill_missing'))] : []),
    ...(coach.characterTraits.length === 0 ? [error(['characterTraits'], explain('coach.trait_missing'))] : []),
    ...Object.entries(coach.manner).flatMap(([name, phrases]) =>
      phrases.filter((phrase) => phrase.trim() !== '').length < MIN_PHRASES ||
      phrases.some((each) => each.trim() === '')
        ? [error(['manner', name], explain('coach.phrases_missing'))]
        : [],
    ),
  ];
}

function videoFindings(video: DocumentOf<'video'>): ContentFinding[] {
  return [
    ...required(video, { title: 'video.title_missing', fileUrl: 'video.file_missing' }),
    ...(video.transcript.trim() === ''
      ? [advice(['transcript'], explain('video.transcript_missing'))]
      : transcriptFindings(video.transcript)),
    ...addressFindings(video.fileUrl),
  ];
}

function addressFindings(fileUrl: string): ContentFinding[] {
  if (fileUrl === '' || mediaIdOf(fileUrl) !== null) return [];
  return URL.parse(fileUrl)?.protocol === 'https:'
    ? [advice(['fileUrl'], explain('video.not_uploaded'))]
    : [error(['fileUrl'], explain('video.address_invalid'))];
}

const MAX_TRANSCRIPT_PROBLEMS = 10;

function transcriptFindings(transcript: string): ContentFinding[] {
  if (isWebVtt(transcript))
    return parseWebVtt(transcript)
      .problems.slice(0, MAX_TRANSCRIPT_PROBLEMS)
      .map((problem) => error(['transcript'], problem));
  return transcript.includes(' --> ') ? [advice(['transcript'], explain('transcript.header_missing'))] : [];
}

function courseFindings(course: DocumentOf<'course'>): ContentFinding[] {
  const places = new Map<string, number>();
  for (const { sectionId } of course.sections) places.set(sectionId, (places.get(sectionId) ?? 0) + 1);
  return [
    ...required(course, { title: 'course.title_missing', description: 'course.description_missing' }),
    ...(course.sections.length === 0 ? [error(['sections'], explain('course.sections_missing'))] : []),
    ...course.sections.flatMap(({ sectionId, title, items }, index) => [
      ...(title.trim() === ''
        ? [error(['sections', index, 'title'], explain('section.title_missing', { number: index + 1 }))]
        : []),
      ...((places.get(sectionId) ?? 0) > 1
        ? [error(['sections', index], explain('section.repeated', { number: index + 1 }))]
        : []),
      ...(items.length === 0
        ? [advice(['sections', index, 'items'], explain('section.empty', { number: index + 1 }))]
        : []),
      ...items.flatMap(({ kind, itemId }, at) =>
        items.findIndex((other) => other.kind === kind && other.itemId === itemId) === at
          ? []
          : [error(['sections', index, 'items', at], explain(`section.${kind}_repeated`, { number: index + 1 }))],
      ),
    ]),
  ];
}

function postFindings(post: DocumentOf<'post'>): ContentFinding[] {
  return [
    ...required(post, {
      title: 'post.title_missing',
      content: 'post.content_missing',
      excerpt: 'post.excerpt_missing',
    }),
    ...(isMarkdownTooComplex(post.content) ? [error(['content'], explain('post.too_complex'))] : []),
    ...(SLUG.test(post.slug) ? [] : [error(['slug'], explain('post.address_invalid'))]),
    ...(post.tags ?? [])
      .map((tag) => tag.trim())
      .filter((tag) => tag !== '' && !PostTag.safeParse(tag).success)
      .map((tag) => error(['tags'], explain('post.tag_invalid', { tag }))),
    ...(post.publishAt === null || isDayOfChoice(post.publishAt)
      ? []
      : [error(['publishAt'], explain('post.time_invalid'))]),
  ];
}

function practiceFindings(practice: DocumentOf<'practice'>): ContentFinding[] {
  const { objectives, script } = practice;
  return [
    ...required(practice, {
      title: 'practice.title_missing',
      category: 'practice.category_missing',
      summary: 'practice.summary_missing',
      description: 'practice.description_missing',
      scenario: 'practice.scenario_missing',
      role: 'practice.role_missing',
    }),
    ...(practice.agentId === null ? [error(['agentId'], explain('practice.coach_missing'))] : []),
    ...(objectives.length === 0 ? [error(['objectives'], explain('practice.objectives_missing'))] : []),
    ...objectives.flatMap(({ key, description, needs, objectiveId }, index) => [
      ...(SLUG.test(key) ? [] : [error(['objectives', index, 'key'], explain('name.invalid', { name: key }))]),
      ...(description.trim() === ''
        ? [error(['objectives', index, 'description'], explain('objective.description_missing'))]
        : []),
      ...(objectives.findIndex((other) => other.key === key || other.objectiveId === objectiveId) === index
        ? []
        : [error(['objectives', index, 'key'], explain('objective.repeated', { name: key }))]),
      ...(needs === null || isPattern(needs)
        ? []
        : [error(['objectives', index, 'needs'], explain('objective.pattern_invalid'))]),
      ...(needs !== null && isSlowPattern(needs)
        ? [error(['objectives', index, 'needs'], explain('objective.pattern_slow'))]
        : []),
    ]),
    ...practice.words.flatMap(({ word, meaning }, index) =>
      word.trim() === '' || meaning.trim() === '' ? [error(['words', index], explain('practice.word_incomplete'))] : [],
    ),
    ...(script === null
      ? [advice(['script'], explain('practice.dialogue_missing'))]
      : scriptFindings(practice, script)),
  ];
}

function scriptFindings(
  { objectives }: DocumentOf<'practice'>,
  script: NonNullable<DocumentOf<'practice'>['script']>,
): ContentFinding[] {
  const found = findScriptFindings(
    script,
    objectives.map(({ key }) => key),
  );
  if (found.some(({ severity }) => severity === 'error')) return found;
  // The dialogue's own schema has the last word, so that a device never receives one that it cannot parse.
  const parsed = Dialogue.safeParse(scriptToDialogue(script, objectives));
  return parsed.success
    ? found
    : [...found, ...parsed.error.issues.map((issue) => error(['script', ...pathOf(issue.path)], explainIssue(issue)))];
}

const pathOf = (path: readonly PropertyKey[]): Path =>
  path.map((step) => (typeof step === 'number' ? step : String(step)));

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'iu') instanceof RegExp;
  } catch {
    return false;
  }
}

const unstorable = (document: unknown): ContentFinding[] =>
  isStorable(document) ? [] : [error([], explain('text.unstorable'))];

/** Checks a row against the limits of its columns. */
function boundsOf(key: EntityKey, row: object): ContentFinding[] {
  const parsed = partialRowSchema(entities[key]).safeParse(row);
  return [
    ...unstorable(row),
    ...(parsed.success ? [] : parsed.error.issues.map((issue) => error(pathOf(issue.path), explainIssue(issue)))),
  ];
}
